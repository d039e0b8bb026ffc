import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { tell } from '#kit/text';
import { severityOfWord } from '#kit/alert-labels';
import { fail } from '#kit/app-error';
import type { Alert } from '#spec/data';
import { type AlertSourcePlace, defineAlertSource, type RouteRequest } from '#spec/ports';
import { readInstant } from './read-instant.ts';
import { checkSize, parseJson, readShape, readText } from './read-request.ts';
import { sameSecret } from './same-secret.ts';
import { seenIds } from './seen-ids.ts';

const KEY = 'PAGERDUTY_WEBHOOK_SECRET';
/** PagerDuty signs no time and tries again for a while; what is older than this was kept by somebody. */
const OLDEST_MS = 48 * 60 * 60_000;

const Settings = z.strictObject({
  /** What PagerDuty calls a service → what the topology calls it. */
  services: z.record(z.string(), z.string()).default({}),
});

const MISCONFIGURED = tell(
  'gateway.yaml, webhooks.pagerduty: it takes `services` alone, which maps names of PagerDuty to names of services.',
  'gateway.yaml 的 webhooks.pagerduty 只接受 `services`,即 PagerDuty 名称到服务名称的映射。',
);

const Delivery = z.object({
  event: z.object({
    id: z.string().min(1),
    event_type: z.string(),
    occurred_at: z.string(),
    data: z.unknown(),
  }),
});

const PagerDutyIncident = z.object({
  id: z.string().min(1),
  title: z.string().min(1),
  html_url: z.string().nullish(),
  incident_key: z.string().nullish(),
  created_at: z.string().nullish(),
  urgency: z.string().nullish(),
  priority: z.object({ summary: z.string().nullish() }).nullish(),
  service: z.object({ summary: z.string().nullish() }).nullish(),
});

const FIRING = new Set([
  'incident.triggered',
  'incident.acknowledged',
  'incident.unacknowledged',
  'incident.escalated',
  'incident.reopened',
  'incident.priority_updated',
]);

const seen = seenIds();

/** Webhooks of PagerDuty, version 3. */
export const alertSource = defineAlertSource({
  name: 'pagerduty',
  paths: ['/gateway/pagerduty'],
  methods: ['POST'],
  auth: 'signed',
  missing: (place) => {
    if (!Settings.safeParse(place.settings ?? {}).success) return MISCONFIGURED;
    return secretsOf(place).length > 0
      ? undefined
      : tell(
          `${KEY} is not set: take the secret that PagerDuty shows when the webhook subscription is made, and put it into .env.`,
          `未设置 ${KEY}:取 PagerDuty 在创建 Webhook 订阅时显示的密钥,写入 .env。`,
        );
  },
  async receive(request, place) {
    checkSize(request);
    checkSignature(request, secretsOf(place));
    const settings = Settings.safeParse(place.settings ?? {});
    if (!settings.success) throw fail('config.invalid', MISCONFIGURED);
    const { event } = readShape(
      Delivery,
      parseJson(readText(request), "PagerDuty's request"),
      "PagerDuty's request",
    );
    const now = place.now();
    const at = readInstant(event.occurred_at, 'event.occurred_at');
    if (at === undefined || now - Date.parse(at) > OLDEST_MS)
      throw fail('input.unauthorized', 'The event is older than two days, and is taken for a replay.');
    const status = statusOf(event.event_type);
    if (!status) return { kind: 'answer', answer: { status: 202 } };
    const incident = readShape(PagerDutyIncident, event.data, "PagerDuty's request, event.data");
    const alert = readIncident(incident, { status, at, services: settings.data.services });
    return { kind: 'alerts', alerts: [alert], undo: seen.claim(event.id, now) };
  },
});

const statusOf = (type: string): Alert['status'] | undefined => {
  if (type === 'incident.resolved') return 'resolved';
  return FIRING.has(type) ? 'firing' : undefined;
};

/** Every subscription has a secret of its own; several are separated by commas. */
const secretsOf = ({ key }: Pick<AlertSourcePlace, 'key'>): string[] =>
  (key(KEY) ?? '')
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '');

function checkSignature({ headers, body }: RouteRequest, secrets: readonly string[]): void {
  const expected = secrets.map((secret) => `v1=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const given = (headers['x-pagerduty-signature'] ?? '').split(',').map((one) => one.trim());
  if (expected.some((one) => given.some((other) => sameSecret(other, one)))) return;
  throw fail(
    'input.unauthorized',
    "PagerDuty's signature is missing or does not hold.",
    `Compare ${KEY} with the secret of the webhook subscription.`,
  );
}

function readIncident(
  given: z.infer<typeof PagerDutyIncident>,
  {
    status,
    at,
    services,
  }: {
    readonly status: Alert['status'];
    readonly at: string;
    readonly services: Readonly<Record<string, string>>;
  },
): Alert {
  const { id, title, urgency, incident_key: key, html_url: link } = given;
  const named = given.service?.summary?.trim();
  const service = named && Object.hasOwn(services, named) ? services[named] : named;
  const priority = given.priority?.summary;
  const startsAt = given.created_at ? readInstant(given.created_at, 'event.data.created_at') : undefined;
  return {
    fingerprint: id,
    source: 'pagerduty',
    status,
    title,
    severity: severityOfWord(priority ?? '') ?? severityOfWord(urgency ?? '') ?? 'P3',
    ...(service ? { service } : {}),
    labels: {
      ...(named ? { service: named } : {}),
      ...(urgency ? { urgency } : {}),
      ...(priority ? { priority } : {}),
      ...(key ? { incident_key: key } : {}),
    },
    annotations: {},
    startsAt: startsAt ?? at,
    ...(status === 'resolved' ? { endsAt: at } : {}),
    ...(link ? { link } : {}),
  };
}
