// Written by `npm run gen` from the files in backends/telemetry. Do not edit.
export const telemetry = {
  argocd: async () => (await import('./telemetry/argocd.ts')).telemetry,
  embedded: async () => (await import('./telemetry/embedded.ts')).telemetry,
  github: async () => (await import('./telemetry/github.ts')).telemetry,
  jaeger: async () => (await import('./telemetry/jaeger.ts')).telemetry,
  json_file: async () => (await import('./telemetry/json-file.ts')).telemetry,
  kubernetes: async () => (await import('./telemetry/kubernetes.ts')).telemetry,
  loki: async () => (await import('./telemetry/loki.ts')).telemetry,
  prometheus: async () => (await import('./telemetry/prometheus.ts')).telemetry,
  tempo: async () => (await import('./telemetry/tempo.ts')).telemetry,
} as const;
