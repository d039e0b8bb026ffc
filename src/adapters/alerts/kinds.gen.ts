// Written by `npm run gen` from the files in adapters/alerts. Do not edit.
export const kinds = {
  alertmanager: async () => (await import('./alertmanager.ts')).alertSource,
  feishu: async () => (await import('./feishu/feishu.ts')).alertSource,
  generic: async () => (await import('./generic/generic.ts')).alertSource,
  grafana: async () => (await import('./grafana.ts')).alertSource,
  pagerduty: async () => (await import('./pagerduty.ts')).alertSource,
  wecom: async () => (await import('./wecom/wecom.ts')).alertSource,
} as const;
