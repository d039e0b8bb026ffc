// Written by `npm run gen` from the files in tools/ops. Do not edit.
export const ops = {
  git: async () => (await import('./ops/git/git.ts')).tool,
  github: async () => (await import('./ops/github/github.ts')).tool,
  http_check: async () => (await import('./ops/http-check.ts')).tool,
  kubernetes: async () => (await import('./ops/kubernetes/kubernetes.ts')).tool,
} as const;
