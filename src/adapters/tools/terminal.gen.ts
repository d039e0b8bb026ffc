// Written by `npm run gen` from the files in tools/terminal. Do not edit.
export const terminal = {
  process: async () => (await import('./terminal/process.ts')).tool,
  terminal: async () => (await import('./terminal/terminal.ts')).tool,
} as const;
