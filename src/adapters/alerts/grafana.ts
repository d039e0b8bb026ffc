import { z } from 'zod';
import { fail } from '#kit/app-error';
import { isRecord } from '#kit/is-record';
import type { Alert } from '#spec/data';
import { defineAlertSource } from '#spec/ports';
import { PrometheusAlert, readPrometheusAlert } from './prometheus-alert.ts';
import { parseJson, readShape, readText } from './read-request.ts';

const MAX_BYTES = 8_000_000;

const GrafanaAlert = PrometheusAlert.extend({
  /** The numbers of the queries, by the letter of each. */
  values: z.record(z.string(), z.number().nullable()).nullish(),
  panelURL: z.string().nullish(),
  dashboardURL: z.string().nullish(),
});
type GrafanaAlert = z.infer<typeof GrafanaAlert>;

const Delivery = z.object({ alerts: z.array(GrafanaAlert) });

/** The webhook contact point of Grafana's unified alerting. */
export const alertSource = defineAlertSource({
  name: 'grafana',
  paths: ['/gateway/grafana'],
  methods: ['POST'],
  auth: 'token',
  async receive(request, { now }) {
    const payload = parseJson(readText(request, MAX_BYTES), "Grafana's request");
    if (isRecord(payload) && 'ruleId' in payload && !('alerts' in payload))
      throw fail(
        'input.invalid',
        "This is a request of Grafana's legacy alerting.",
        'Use a webhook contact point of unified alerting, which Grafana has since version 8.',
      );
    const { alerts } = readShape(Delivery, payload, "Grafana's request");
    return {
      kind: 'alerts',
      alerts: alerts.map((alert, n) => readGrafanaAlert(alert, `alerts[${n}]`, now())),
    };
  },
});

function readGrafanaAlert(given: GrafanaAlert, where: string, now: number): Alert {
  const alert = readPrometheusAlert(given, { source: 'grafana', where, now });
  const link = given.panelURL || given.dashboardURL || given.generatorURL;
  const values = Object.entries(given.values ?? {})
    .flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]))
    .join(', ');
  return {
    ...alert,
    annotations: { ...alert.annotations, ...(values ? { values } : {}) },
    ...(link ? { link } : {}),
  };
}
