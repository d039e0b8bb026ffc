import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Host, openHost } from '#host';
import { type ServedHome, serveHome } from '#server';
import {
  alertmanagerPayload,
  incidentApi,
  type IncidentApi,
  type IncidentHome,
  makeIncidentHome,
} from '#testkit/incident-home';
import {
  feishuMessage,
  generic,
  pagerduty,
  SECRETS,
  type SignedRequest,
  type Signing,
  WEBHOOKS,
  wecomMessage,
} from './signed-requests.ts';

const HOUR_MS = 3_600_000;
const TELLS = 'payment-service is down, P1 incident';
const alert = () =>
  alertmanagerPayload([{ name: 'HighErrorRate', service: 'a-service', startsAt: Date.now() }]);

describe('a webhook', () => {
  let home: IncidentHome;
  let host: Host;
  let served: ServedHome;
  /** Of somebody who has the token, of somebody who may look, and of a stranger. */
  let owner: IncidentApi;
  let viewer: IncidentApi;
  let stranger: IncidentApi;

  beforeAll(async () => {
    home = await makeIncidentHome({ env: SECRETS, webhooks: WEBHOOKS });
    host = await openHost({ env: home.env, version: '0.0.0' });
    served = await serveHome(host);
    owner = incidentApi(() => served.url, home.token);
    viewer = incidentApi(() => served.url, home.readOnlyToken);
    stranger = incidentApi(() => served.url, undefined);
  });
  afterAll(async () => {
    await served?.close();
    await host?.close();
    await home?.remove();
  });

  /** What came of a request, and the lines that it left in the audit log. */
  const sent = async (work: () => Promise<{ readonly status: number }>) => {
    const { audit } = await host.gate();
    const before = (await audit.last(1))[0]?.seq ?? 0;
    const { status } = await work();
    const lines = await audit.read(before, 10);
    return { status, audit: lines.map(({ kind, data }) => [kind, data['code']]) };
  };
  const post = ({ path, body, headers }: SignedRequest) => stranger.send('POST', path, body, headers);
  const refused = (status: number, code: string) => ({ status, audit: [['webhook.refused', code]] });

  it('starts for every way in that has its secret', () => expect(served.off).toEqual([]));

  it.each([
    ['without a token', () => stranger, 401, 'input.unauthorized'],
    ['with a token that may only look', () => viewer, 403, 'input.forbidden'],
    ['with a forged token', () => incidentApi(() => served.url, 'a-token-that-nobody-has'), 401, undefined],
  ])('of Alertmanager is refused %s', async (_, sender, status, code = 'input.unauthorized') => {
    expect(await sent(() => sender().send('POST', '/gateway/alertmanager', alert()))).toEqual(
      refused(status, code),
    );
  });

  it('is refused when a page of another origin sends it', async () => {
    const headers = { origin: 'http://attacker.example' };
    expect(await sent(() => owner.send('POST', '/gateway/alertmanager', alert(), headers))).toEqual(
      refused(403, 'input.forbidden'),
    );
  });

  it.each([
    ['no JSON', '{"alerts": ['],
    ['another shape', '{"alerts": "many"}'],
    ['nothing', '[]'],
  ])('with %s is refused', async (_, body) => {
    expect(await sent(() => owner.send('POST', '/gateway/alertmanager', body))).toEqual(
      refused(400, 'input.invalid'),
    );
  });

  it('that is too large is refused, also when it is small and holds too many alerts', async () => {
    const large = JSON.stringify({ padding: 'x'.repeat(5_000_000) });
    expect(await sent(() => owner.send('POST', '/gateway/alertmanager', large))).toEqual(
      refused(413, 'input.too_large'),
    );
    const many = alertmanagerPayload(
      Array.from({ length: 1_100 }, (_, n) => ({ name: `Alert${n}`, service: 's', startsAt: Date.now() })),
    );
    expect(await sent(() => owner.send('POST', '/gateway/alertmanager', many))).toEqual(
      refused(413, 'input.too_large'),
    );
  });

  const ways: readonly [string, (signing?: Signing) => SignedRequest, forged: string][] = [
    ['feishu', (signing) => feishuMessage(TELLS, signing), 'another encrypt key'],
    ['wecom', (signing) => wecomMessage(TELLS, signing), 'another token'],
    ['pagerduty', pagerduty, 'another secret'],
    ['generic', generic, `whsec_${Buffer.alloc(24, 8).toString('base64')}`],
  ];
  describe.each(ways)('of %s', (_, request, forged) => {
    it('is taken when it is signed, and refused when it comes a second time', async () => {
      const once = request({ id: '77' });
      expect((await post(once)).status).toBe(200);
      expect(await sent(() => post(once))).toEqual(refused(409, 'input.conflict'));
    });

    it('is refused unsigned, forged, changed on its way, or kept for too long', async () => {
      const no = refused(401, 'input.unauthorized');
      const good = request();
      const { path, body } = good;
      const bare = { path: path.split('?')[0] ?? '', body, headers: {} };
      expect(await sent(() => post(bare))).toEqual(no);
      expect(await sent(() => post(request({ secret: forged })))).toEqual(no);
      const changed = { ...good, body: body.replace(/[A-Za-z0-9](?=[^A-Za-z0-9]*$)/, '_') };
      expect((await sent(() => post(changed))).status).toBeGreaterThanOrEqual(400);
      expect(await sent(() => post(request({ at: Date.now() - 72 * HOUR_MS })))).toEqual(no);
    });
  });

  it('that is signed and makes no sense is refused', async () => {
    expect(await sent(() => post(generic({}, '{"problem":')))).toEqual(refused(400, 'input.invalid'));
    expect(await sent(() => post(generic({}, '{"host":"ledger"}')))).toEqual(refused(400, 'input.invalid'));
  });

  it('opens an incident for what was taken alone, and the log of all this is whole', async () => {
    const found = await owner.incidents();
    // The messages of two platforms tell of the same service.
    expect(found.map(({ source, alerts }) => `${source} ${alerts}`).toSorted()).toEqual([
      'feishu 2',
      'pagerduty 1',
      'webhook/nagios 1',
    ]);
    expect(await (await host.gate()).audit.verify()).toMatchObject({ sound: true });
  });

  it('cannot fill the audit log', async () => {
    const { audit } = await host.gate();
    const before = (await audit.last(1))[0]?.seq ?? 0;
    await Promise.all(
      Array.from({ length: 150 }, () => stranger.send('POST', '/gateway/alertmanager', alert())),
    );
    expect((await audit.read(before, 1_000)).length).toBeLessThan(100);
  });
});
