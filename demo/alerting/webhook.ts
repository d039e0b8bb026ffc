import type { BookedAlert } from './alert-book.ts';

export interface AlertTarget {
  readonly url: string;
  readonly token?: string;
}

const TIMEOUT_MS = 3_000;

/** One delivery as Alertmanager makes it (webhook version 4): the alerts of one name and service. */
export function webhookPayload(alerts: readonly BookedAlert[]): object {
  const groupLabels = pick(alerts[0]?.labels ?? {}, ['alertname', 'service']);
  const status = (alert: BookedAlert): string => (alert.endsAt === undefined ? 'firing' : 'resolved');
  return {
    version: '4',
    groupKey: `{}:{alertname="${groupLabels['alertname']}", service="${groupLabels['service']}"}`,
    truncatedAlerts: 0,
    status: alerts.some((alert) => status(alert) === 'firing') ? 'firing' : 'resolved',
    receiver: 'hermes',
    groupLabels,
    commonLabels: shared(alerts.map(({ labels }) => labels)),
    commonAnnotations: shared(alerts.map(({ annotations }) => annotations)),
    externalURL: 'http://127.0.0.1/demo',
    alerts: alerts.map((alert) => ({
      status: status(alert),
      labels: alert.labels,
      annotations: alert.annotations,
      startsAt: new Date(alert.startsAt).toISOString(),
      endsAt: alert.endsAt === undefined ? '0001-01-01T00:00:00Z' : new Date(alert.endsAt).toISOString(),
      generatorURL: '',
      fingerprint: alert.fingerprint,
    })),
  };
}

/** Resolves to undefined when it was taken, else to why not. */
export async function deliver(
  { url, token }: AlertTarget,
  payload: object,
  signal: AbortSignal,
): Promise<string | undefined> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authorization },
      body: JSON.stringify(payload),
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return response.ok ? undefined : `the webhook answered ${response.status}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const pick = (labels: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, labels[name] ?? '']));

function shared(records: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  const [first = {}, ...others] = records;
  return Object.fromEntries(
    Object.entries(first).filter(([key, value]) => others.every((other) => other[key] === value)),
  );
}
