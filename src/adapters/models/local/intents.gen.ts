// Written by `npm run gen` from the files in local/intents. Do not edit.
export const intents = {
  'read-file': async () => (await import('./intents/read-file.ts')).intent,
  'read-page': async () => (await import('./intents/read-page.ts')).intent,
  'run-command': async () => (await import('./intents/run-command.ts')).intent,
} as const;
