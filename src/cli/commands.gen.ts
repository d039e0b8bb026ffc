// Written by `npm run gen` from the files in cli/commands. Do not edit.
export const commands = {
  chat: async () => (await import('./commands/chat.ts')).command,
  config: async () => (await import('./commands/config.ts')).command,
  doctor: async () => (await import('./commands/doctor.ts')).command,
  model: async () => (await import('./commands/model.ts')).command,
  profile: async () => (await import('./commands/profile.ts')).command,
  run: async () => (await import('./commands/run.ts')).command,
  sessions: async () => (await import('./commands/sessions.ts')).command,
  testkit: async () => (await import('./commands/testkit.ts')).command,
} as const;
