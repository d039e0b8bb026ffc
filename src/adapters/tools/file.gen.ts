// Written by `npm run gen` from the files in tools/file. Do not edit.
export const file = {
  patch: async () => (await import('./file/patch.ts')).tool,
  read_file: async () => (await import('./file/read-file.ts')).tool,
  search_files: async () => (await import('./file/search-files.ts')).tool,
  write_file: async () => (await import('./file/write-file.ts')).tool,
} as const;
