// Written by `npm run gen` from the files in memory/providers. Do not edit.
export const providers = {
  honcho: async () => (await import('./providers/honcho.ts')).memoryProvider,
  mem0: async () => (await import('./providers/mem0.ts')).memoryProvider,
} as const;
