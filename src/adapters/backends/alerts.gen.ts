// Written by `npm run gen` from the files in backends/alerts. Do not edit.
export const alerts = {
  alertmanager: async () => (await import('./alerts/alertmanager.ts')).alertSource,
  feishu: async () => (await import('./alerts/feishu.ts')).alertSource,
  generic: async () => (await import('./alerts/generic.ts')).alertSource,
  grafana: async () => (await import('./alerts/grafana.ts')).alertSource,
  pagerduty: async () => (await import('./alerts/pagerduty.ts')).alertSource,
  wecom: async () => (await import('./alerts/wecom.ts')).alertSource,
} as const;
