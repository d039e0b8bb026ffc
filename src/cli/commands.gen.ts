// Written by `npm run gen` from the files in cli/commands. Do not edit.
export const commands = {
  approvals: async () => (await import('./commands/approvals.ts')).command,
  audit: async () => (await import('./commands/audit.ts')).command,
  backends: async () => (await import('./commands/backends.ts')).command,
  chat: async () => (await import('./commands/chat.ts')).command,
  config: async () => (await import('./commands/config.ts')).command,
  doctor: async () => (await import('./commands/doctor.ts')).command,
  mcp: async () => (await import('./commands/mcp.ts')).command,
  model: async () => (await import('./commands/model.ts')).command,
  plugins: async () => (await import('./commands/plugins.ts')).command,
  profile: async () => (await import('./commands/profile.ts')).command,
  run: async () => (await import('./commands/run.ts')).command,
  sessions: async () => (await import('./commands/sessions.ts')).command,
  testkit: async () => (await import('./commands/testkit.ts')).command,
  tools: async () => (await import('./commands/tools.ts')).command,
} as const;
