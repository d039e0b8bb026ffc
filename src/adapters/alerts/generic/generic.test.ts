import { say } from '#kit/text';
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { codeOf, testPlace, testRequest } from '#testkit/alert-request';
import { alertSource } from './generic.ts';

const NOW = 1_785_578_400_000;
const STANDARD = `whsec_${Buffer.alloc(24, 5).toString('base64')}`;
const KEYS = {
  ZABBIX_SECRET: STANDARD,
  HUB_SECRET: 'hub secret',
  HUB_OLD: 'old secret',
  TOKEN: 'a long token',
};
const SETTINGS = {
  zabbix: {
    verify: 'standard',
    secret: 'ZABBIX_SECRET',
    map: {
      title: 'alert.title',
      fingerprint: 'alert.id',
      status: 'alert.state',
      severity: { path: 'alert.prio', default: 'low' },
      service: 'alert.labels["app.kubernetes.io/name"]',
      startsAt: 'alert.since',
      endsAt: { path: 'alert.until', optional: true },
      labels: 'alert.labels',
      annotations: { team: { value: 'payments' }, note: { path: 'alert.note', optional: true } },
    },
  },
  hub: {
    verify: 'github',
    secret: ['HUB_SECRET', 'HUB_OLD'],
    alerts: 'events',
    resolved: ['gone'],
    map: { title: 'name', status: 'is', service: '$.source.service' },
  },
  plain: { verify: 'token', secret: 'TOKEN', header: 'X-Token', map: { title: 'title' } },
};
const payload = {
  alert: {
    id: 17,
    title: 'Latency is high',
    state: 'PROBLEM',
    prio: 'disaster',
    since: 1_785_578_000,
    labels: { 'app.kubernetes.io/name': 'payment-service', metric: 'latency_p95_ms', nested: { a: 1 } },
  },
};
let ids = 0;

interface Sent {
  readonly name?: string;
  readonly headers?: Record<string, string>;
  readonly keys?: Record<string, string>;
  readonly settings?: object;
}
const post = (body: string, { name = 'zabbix', headers = {}, keys = KEYS, settings = SETTINGS }: Sent) =>
  alertSource.receive(
    testRequest({ body, headers, params: { name } }),
    testPlace(keys, settings, () => NOW),
  );
function standard(body: string, { at = NOW, id = `msg_${++ids}`, secret = STANDARD } = {}) {
  const timestamp = String(Math.floor(at / 1000));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1a,x v1,${signature}` };
}
const send = (body: object | string, settings: object = SETTINGS) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return post(text, { headers: standard(text), settings });
};
const hub = (body: string, secret: string) => ({
  'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
});

describe('generic', () => {
  it('reads each field where the mapping says', async () =>
    expect(await send(payload)).toMatchObject({
      kind: 'alerts',
      alerts: [
        {
          fingerprint: 'zabbix:17',
          source: 'webhook/zabbix',
          status: 'firing',
          title: 'Latency is high',
          severity: 'P1',
          service: 'payment-service',
          metric: 'latency_p95_ms',
          labels: { 'app.kubernetes.io/name': 'payment-service', metric: 'latency_p95_ms' },
          annotations: { team: 'payments' },
          startsAt: '2026-08-01T09:53:20.000Z',
        },
      ],
    }));

  it('takes a default, and knows the end by the usual words', async () => {
    const { prio: _, ...rest } = payload.alert;
    expect(await send({ alert: { ...rest, state: 'OK', until: '2026-08-01T10:00:00Z' } })).toMatchObject({
      alerts: [{ severity: 'P4', status: 'resolved', endsAt: '2026-08-01T10:00:00.000Z' }],
    });
  });

  it('reads a list of alerts, paths from the payload, and words of its own for the end', async () => {
    const body = JSON.stringify({
      source: { service: 'order' },
      events: [
        { name: 'a', is: 'there' },
        { name: 'b', is: 'Gone' },
      ],
    });
    const received = await post(body, { name: 'hub', headers: hub(body, 'old secret') });
    expect(received).toMatchObject({
      alerts: [
        { title: 'a', status: 'firing', service: 'order', source: 'webhook/hub' },
        { title: 'b', status: 'resolved' },
      ],
    });
    expect(received).not.toHaveProperty('undo');
  });

  it('takes a published example of the standard', async () => {
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const place = testPlace(
      { SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
      { x: { verify: 'standard', secret: 'SECRET', map: { title: 'test' } } },
      () => 1_614_265_330_000,
    );
    const request = testRequest({ body: '{"test": 2432232314}', headers, params: { name: 'x' } });
    expect(await alertSource.receive(request, place)).toMatchObject({ alerts: [{ title: '2432232314' }] });
  });

  it('refuses who cannot be verified', async () => {
    const body = JSON.stringify(payload);
    const titled = '{"title":"x"}';
    const cases: Record<string, Promise<unknown>> = {
      unsigned: post(body, {}),
      'signed over another body': post(body, { headers: standard('{}') }),
      'another secret': post(body, {
        headers: standard(body, { secret: `whsec_${Buffer.alloc(24, 6).toString('base64')}` }),
      }),
      old: post(body, { headers: standard(body, { at: NOW - 301_000 }) }),
      'no id': post(body, { headers: standard(body, { id: '' }) }),
      'an empty key': post(body, {
        headers: standard(body, { secret: 'whsec_' }),
        keys: { ZABBIX_SECRET: 'whsec_!!!' },
      }),
      'a forged hub signature': post(titled, { name: 'hub', headers: hub(titled, 'guessed') }),
      'no token': post(titled, { name: 'plain' }),
      'a wrong token': post(titled, { name: 'plain', headers: { 'x-token': 'guessed' } }),
      'no secret here': post(titled, { name: 'plain', headers: { 'x-token': '' }, keys: {} }),
    };
    for (const [name, received] of Object.entries(cases))
      expect(await codeOf(received), name).toBe('input.unauthorized');
    expect(await post(titled, { name: 'plain', headers: { 'x-token': 'a long token' } })).toMatchObject({
      alerts: [{ title: 'x' }],
    });
  });

  it('refuses a replay, unless it could not be kept', async () => {
    const body = JSON.stringify(payload);
    const headers = standard(body);
    const first = await post(body, { headers });
    expect(await codeOf(post(body, { headers }))).toBe('input.conflict');
    if (first.kind === 'alerts') first.undo?.();
    expect(await post(body, { headers })).toMatchObject({ kind: 'alerts' });
  });

  it('names what does not fit, where, and how to mend it', async () => {
    const { title, ...rest } = payload.alert;
    const refused = await send({ alert: { ...rest, titel: title } }).catch((thrown: unknown) => thrown);
    expect(refused).toMatchObject({
      record: {
        code: 'input.invalid',
        message: expect.stringMatching(
          /'map\.title' is mapped to 'alert\.title'.*'alert' has no 'title', but 'titel'/,
        ),
        hint: expect.stringMatching(/generic\.zabbix\.map\.title/),
      },
    });
  });

  it.each([
    ['not JSON', '{', /not JSON/],
    ['another shape', '[]', /'map\./],
    ['an object where a text should be', { alert: { ...payload.alert, title: {} } }, /not a text/],
    ['an empty title', { alert: { ...payload.alert, title: '' } }, /'title' is empty/],
    ['labels that are no object', { alert: { ...payload.alert, labels: 'x' } }, /'map\.(?:labels|service)'/],
    ['a time without a zone', { alert: { ...payload.alert, since: '2026-08-01 10:00:00' } }, /'startsAt'/],
    ['null', { alert: { ...payload.alert, title: null } }, /has null as 'title'/],
  ])('refuses %s', async (_, body, message) => {
    const refused = await send(body).catch((thrown: unknown) => thrown);
    expect(refused).toMatchObject({
      record: { code: 'input.invalid', message: expect.stringMatching(message) },
    });
  });

  it('follows no property that the payload does not have itself', async () => {
    const settings = { zabbix: { ...SETTINGS.zabbix, map: { title: 'constructor.name' } } };
    expect(await codeOf(send({}, settings))).toBe('input.invalid');
  });

  it('knows no other webhooks, and bears no large requests', async () => {
    expect(await codeOf(post('{}', { name: 'nobody' }))).toBe('input.not_found');
    expect(await codeOf(post('{}', { name: 'constructor' }))).toBe('input.not_found');
    expect(await codeOf(post('x'.repeat(1_000_001), {}))).toBe('input.too_large');
  });

  it.each([
    ['no webhook', {}, /No webhook/],
    ['a field that there is not', { x: { ...SETTINGS.zabbix, map: { titel: 'a' } } }, /generic\.x\.map/],
    [
      'a path that is none',
      { x: { ...SETTINGS.zabbix, map: { title: 'a..b' } } },
      /generic\.x\.map\.title: is no path/,
    ],
    ['no verification', { x: { secret: 'TOKEN', map: { title: 'a' } } }, /generic\.x\.verify/],
    [
      'a secret in the place of its name',
      { x: { ...SETTINGS.plain, secret: 'hunter2!' } },
      /^(?!.*hunter2).*secret/,
    ],
    ['no secret', { x: { ...SETTINGS.plain, secret: 'ABSENT' } }, /ABSENT/],
  ])('does not start with %s, and says so', (_, settings, message) =>
    expect(say(alertSource.missing?.(testPlace(KEYS, settings)) ?? '', 'en')).toMatch(message),
  );

  it('starts when one of the webhooks has its secret', () =>
    expect(alertSource.missing?.(testPlace({ TOKEN: 'x' }, SETTINGS))).toBeUndefined());
});
