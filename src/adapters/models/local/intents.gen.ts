// Written by `npm run gen` from the files in local/intents. Do not edit.
export const intents = {
  config: async () => (await import('./intents/config.ts')).intent,
  connect: async () => (await import('./intents/connect.ts')).intent,
  greeting: async () => (await import('./intents/greeting.ts')).intent,
  'read-file': async () => (await import('./intents/read-file.ts')).intent,
  'read-page': async () => (await import('./intents/read-page.ts')).intent,
  'run-command': async () => (await import('./intents/run-command.ts')).intent,
  status: async () => (await import('./intents/status.ts')).intent,
} as const;
