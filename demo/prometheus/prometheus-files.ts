import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ALERT_RULES } from '../alerting/alert-rule.ts';
import type { AlertTarget } from '../alerting/webhook.ts';

export interface PrometheusPorts {
  /** Of the services, by name. */
  readonly services: Readonly<Record<string, number>>;
  readonly prometheus: number;
  readonly alertmanager: number;
}

export interface PrometheusFiles {
  readonly prometheus: string;
  readonly rules: string;
  readonly alertmanager: string;
}

/** Times that suit a demo: a rule fires seconds after the fault. JSON is YAML, and needs no quoting of its own. */
export async function prometheusFiles(
  folder: string,
  ports: PrometheusPorts,
  alerts?: AlertTarget,
): Promise<PrometheusFiles> {
  await mkdir(folder, { recursive: true });
  const files = {
    prometheus: join(folder, 'prometheus.yml'),
    rules: join(folder, 'rules.yml'),
    alertmanager: join(folder, 'alertmanager.yml'),
  };
  const write = (file: string, content: object): Promise<void> =>
    writeFile(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await write(files.prometheus, prometheusConfig(ports));
  await write(files.rules, rulesConfig());
  await write(files.alertmanager, alertmanagerConfig(alerts));
  return files;
}

const prometheusConfig = ({ services, alertmanager }: PrometheusPorts): object => ({
  global: { scrape_interval: '1s', scrape_timeout: '900ms', evaluation_interval: '1s' },
  rule_files: ['rules.yml'],
  alerting: { alertmanagers: [{ static_configs: [{ targets: [`127.0.0.1:${alertmanager}`] }] }] },
  scrape_configs: [
    {
      job_name: 'demo',
      // The services name themselves.
      honor_labels: true,
      static_configs: Object.entries(services).map(([service, port]) => ({
        targets: [`127.0.0.1:${port}`],
        labels: { service },
      })),
    },
  ],
});

const rulesConfig = (): object => ({
  groups: [
    {
      name: 'demo',
      interval: '1s',
      rules: ALERT_RULES.map(({ name, severity, promql, summary }) => ({
        alert: name,
        expr: promql,
        for: '3s',
        labels: { severity },
        annotations: {
          summary: `{{ $labels.service }} ${summary}`,
          description: `${name} of {{ $labels.service }}: {{ $value | humanize }}`,
        },
      })),
    },
  ],
});

const alertmanagerConfig = (alerts: AlertTarget | undefined): object => ({
  route: {
    receiver: 'hermes',
    group_by: ['alertname', 'service'],
    group_wait: '1s',
    group_interval: '5s',
    repeat_interval: '1m',
  },
  receivers: [
    {
      name: 'hermes',
      webhook_configs: alerts
        ? [
            {
              url: alerts.url,
              send_resolved: true,
              http_config: alerts.token === undefined ? {} : { authorization: { credentials: alerts.token } },
            },
          ]
        : [],
    },
  ],
});
