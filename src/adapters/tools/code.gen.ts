// Written by `npm run gen` from the files in tools/code. Do not edit.
export const code = {
  execute_code: async () => (await import('./code/execute-code.ts')).tool,
} as const;
