// Written by `npm run gen` from the files in backends/executors. Do not edit.
export const executors = {
  argocd: async () => (await import('./executors/argocd.ts')).executor,
  custom_http: async () => (await import('./executors/custom-http.ts')).executor,
  demo_file: async () => (await import('./executors/demo-file.ts')).executor,
  kubernetes: async () => (await import('./executors/kubernetes.ts')).executor,
} as const;
