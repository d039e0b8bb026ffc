// Written by `npm run gen` from the files in session/tools. Do not edit.
export const tools = {
  clarify: async () => (await import('./tools/clarify.ts')).tool,
  session_search: async () => (await import('./tools/session-search.ts')).tool,
  todo: async () => (await import('./tools/todo.ts')).tool,
} as const;
