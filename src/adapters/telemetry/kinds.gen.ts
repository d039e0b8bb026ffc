// Written by `npm run gen` from the files in adapters/telemetry. Do not edit.
export const kinds = {
  argocd: async () => (await import('./deploys/argocd.ts')).telemetry,
  embedded: async () => (await import('./embedded/embedded.ts')).telemetry,
  github: async () => (await import('./deploys/github.ts')).telemetry,
  jaeger: async () => (await import('./traces/jaeger.ts')).telemetry,
  json_file: async () => (await import('./deploys/json-file.ts')).telemetry,
  kubernetes: async () => (await import('./deploys/kubernetes.ts')).telemetry,
  loki: async () => (await import('./loki/loki.ts')).telemetry,
  prometheus: async () => (await import('./prometheus/prometheus.ts')).telemetry,
  tempo: async () => (await import('./traces/tempo.ts')).telemetry,
} as const;
