// Written by `npm run gen` from the files in adapters/executors. Do not edit.
export const kinds = {
  argocd: async () => (await import('./argocd/argocd.ts')).executor,
  custom_http: async () => (await import('./custom-http/custom-http.ts')).executor,
  demo_file: async () => (await import('./demo-file/demo-file.ts')).executor,
  kubernetes: async () => (await import('./kubernetes/kubernetes.ts')).executor,
} as const;
