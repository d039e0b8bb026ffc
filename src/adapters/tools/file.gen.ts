// Written by `npm run gen` from the files in tools/file. Do not edit.
export const file = {
} as const;
