// Written by `npm run gen` from the files in session/commands. Do not edit.
export const commands = {
  approve: async () => (await import('./commands/approve.ts')).command,
  compress: async () => (await import('./commands/compress.ts')).command,
  context: async () => (await import('./commands/context.ts')).command,
  deny: async () => (await import('./commands/deny.ts')).command,
  fork: async () => (await import('./commands/fork.ts')).command,
  help: async () => (await import('./commands/help.ts')).command,
  model: async () => (await import('./commands/model.ts')).command,
  new: async () => (await import('./commands/new.ts')).command,
  quit: async () => (await import('./commands/quit.ts')).command,
  resume: async () => (await import('./commands/resume.ts')).command,
  retry: async () => (await import('./commands/retry.ts')).command,
  rollback: async () => (await import('./commands/rollback.ts')).command,
  title: async () => (await import('./commands/title.ts')).command,
  undo: async () => (await import('./commands/undo.ts')).command,
  usage: async () => (await import('./commands/usage.ts')).command,
} as const;
