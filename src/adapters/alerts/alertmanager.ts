import { z } from 'zod';
import { defineAlertSource } from '#spec/ports';
import { PrometheusAlert, readPrometheusAlert } from './prometheus-alert.ts';
import { parseJson, readShape, readText } from './read-request.ts';

/** A storm in one group is a large request. */
const MAX_BYTES = 8_000_000;

const Delivery = z.object({
  version: z.literal('4', { error: 'this version of the webhook is not known' }),
  alerts: z.array(PrometheusAlert),
});

/** The webhook of Alertmanager, version 4. It sends the same alert again and again while it fires. */
export const alertSource = defineAlertSource({
  name: 'alertmanager',
  paths: ['/gateway/alertmanager'],
  methods: ['POST'],
  auth: 'token',
  async receive(request, { now }) {
    const payload = parseJson(readText(request, MAX_BYTES), "Alertmanager's request");
    const { alerts } = readShape(
      Delivery,
      payload,
      "Alertmanager's request",
      'Send what `webhook_configs` of Alertmanager 0.16 or later sends.',
    );
    return {
      kind: 'alerts',
      alerts: alerts.map((alert, n) =>
        readPrometheusAlert(alert, { source: 'alertmanager', where: `alerts[${n}]`, now: now() }),
      ),
    };
  },
});
