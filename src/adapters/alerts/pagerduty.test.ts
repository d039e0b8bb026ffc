import { say } from '#kit/text';
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { codeOf, testPlace, testRequest } from '#testkit/alert-request';
import { alertSource } from './pagerduty.ts';

const SECRET = 'the secret of the subscription';
const NOW = Date.parse('2026-08-01T10:05:00Z');
let events = 0;

const event = (type = 'incident.triggered', data: object = {}) => ({
  event: {
    id: `event-${++events}`,
    event_type: type,
    resource_type: 'incident',
    occurred_at: '2026-08-01T10:00:30.000Z',
    data: {
      id: 'PGR0VU2',
      type: 'incident',
      html_url: 'https://acme.pagerduty.example/incidents/PGR0VU2',
      incident_key: 'key-1',
      created_at: '2026-08-01T10:00:00Z',
      title: 'A little bump in the road',
      service: { id: 'PF9KMXH', summary: 'Payment' },
      priority: { id: 'PSO75BM', summary: 'P1' },
      urgency: 'high',
      ...data,
    },
  },
});
const sign = (body: string, secret = SECRET) =>
  `v1=${createHmac('sha256', secret).update(body).digest('hex')}`;
const receive = (
  body: string | object,
  {
    signature,
    keys = { PAGERDUTY_WEBHOOK_SECRET: SECRET },
    settings,
    now = NOW,
  }: {
    signature?: string | null;
    keys?: Record<string, string>;
    settings?: object;
    now?: number;
  } = {},
) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const given = signature === undefined ? sign(text) : signature;
  const headers = given === null ? {} : { 'x-pagerduty-signature': given };
  return alertSource.receive(
    testRequest({ body: text, headers }),
    testPlace(keys, settings, () => now),
  );
};

describe('pagerduty', () => {
  it('reads an incident that was triggered', async () =>
    expect(await receive(event(), { settings: { services: { Payment: 'payment-service' } } })).toMatchObject({
      kind: 'alerts',
      alerts: [
        {
          fingerprint: 'PGR0VU2',
          source: 'pagerduty',
          status: 'firing',
          title: 'A little bump in the road',
          severity: 'P1',
          service: 'payment-service',
          startsAt: '2026-08-01T10:00:00.000Z',
          link: 'https://acme.pagerduty.example/incidents/PGR0VU2',
        },
      ],
    }));

  it('takes an acknowledgement as firing, and the end as resolved', async () => {
    expect(await receive(event('incident.acknowledged', { priority: null }))).toMatchObject({
      alerts: [{ status: 'firing', fingerprint: 'PGR0VU2', severity: 'P2' }],
    });
    expect(await receive(event('incident.resolved'))).toMatchObject({
      alerts: [{ status: 'resolved', endsAt: '2026-08-01T10:00:30.000Z' }],
    });
  });

  it('answers what is no incident, such as the test of the subscription', async () =>
    expect(await receive(event('pagey.ping', { message: 'Hello' }))).toEqual({
      kind: 'answer',
      answer: { status: 202 },
    }));

  it('takes one of several signatures, and one of several secrets', async () => {
    const body = JSON.stringify(event());
    const signature = `v1=${'0'.repeat(64)},${sign(body)}`;
    const keys = { PAGERDUTY_WEBHOOK_SECRET: `another, ${SECRET}` };
    expect(await receive(body, { signature, keys })).toMatchObject({ kind: 'alerts' });
  });

  it.each([
    ['no signature', { signature: null }],
    ['an empty signature', { signature: '' }],
    ['a forged signature', { signature: sign('{}', SECRET) }],
    ['a signature by another secret', { keys: { PAGERDUTY_WEBHOOK_SECRET: 'another' } }],
    ['no secret here', { keys: {} }],
    ['an event that is days old', { now: NOW + 3 * 86_400_000 }],
  ])('refuses %s', async (_, options) =>
    expect(await codeOf(receive(event(), options))).toBe('input.unauthorized'),
  );

  it('refuses the same event again, unless it could not be kept', async () => {
    const same = event();
    const first = await receive(same);
    expect(await codeOf(receive(same))).toBe('input.conflict');
    if (first.kind === 'alerts') first.undo?.();
    expect(await receive(same)).toMatchObject({ kind: 'alerts' });
  });

  it('refuses what is too large before it looks at the signature', async () =>
    expect(await codeOf(receive('x'.repeat(1_000_001), { signature: null }))).toBe('input.too_large'));

  it.each([
    ['not JSON', '{'],
    ['no event', '{}'],
    ['an incident without an id', event('incident.triggered', { id: '' })],
  ])('refuses %s though it is signed', async (_, body) =>
    expect(await codeOf(receive(body))).toBe('input.invalid'),
  );

  it('says which secret is missing', () => {
    expect(say(alertSource.missing?.(testPlace()) ?? '', 'en')).toMatch(/PAGERDUTY_WEBHOOK_SECRET/);
    const keys = { PAGERDUTY_WEBHOOK_SECRET: SECRET };
    expect(alertSource.missing?.(testPlace(keys))).toBeUndefined();
    expect(say(alertSource.missing?.(testPlace(keys, { service: {} })) ?? '', 'en')).toMatch(
      /webhooks\.pagerduty/,
    );
  });
});
