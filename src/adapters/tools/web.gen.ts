// Written by `npm run gen` from the files in tools/web. Do not edit.
export const web = {
  web_extract: async () => (await import('./web/web-extract.ts')).tool,
  web_search: async () => (await import('./web/web-search.ts')).tool,
} as const;
