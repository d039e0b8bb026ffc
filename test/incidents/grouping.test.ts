import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { openHost } from '#host';
import { serveHome } from '#server';
import { alertmanagerPayload, type FiringAlert, incidentApi, makeIncidentHome } from '#testkit/incident-home';
import type { Incident } from '#spec/data';
import { reached } from './failing-service.ts';

const WARNING = { severity: 'warning' };
const MAIN = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts');

/** A served home. Without services nothing connects two of them but what people say. */
async function servedHome(incidents: object = {}, services: readonly object[] = []) {
  const home = await makeIncidentHome({
    incidents: { recheck_seconds: [60], execute: false, ...incidents },
    services,
  });
  onTestFinished(() => home.remove());
  const host = await openHost({ env: home.env, version: '1.2.3' });
  onTestFinished(() => host.close());
  const served = await serveHome(host);
  onTestFinished(() => served.close());
  const api = incidentApi(() => `http://127.0.0.1:${served.port}`, home.token);
  const fire = async (service: string, name: string, over: Partial<FiringAlert> = {}): Promise<string> => {
    const payload = alertmanagerPayload([{ name, service, startsAt: Date.now(), ...over }]);
    const { body } = await api.send('POST', '/gateway/alertmanager', payload);
    return (body as { alerts: { incident: string }[] }).alerts[0]?.incident ?? '';
  };
  const post = async (path: string, body: object): Promise<Incident> => {
    const answer = await api.send('POST', path, body);
    expect(answer).toMatchObject({ status: 200 });
    return answer.body as Incident;
  };
  const hermes = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)(process.execPath, [MAIN, 'incident', ...args], { env: home.env })).stdout;
  return { api, host, fire, post, hermes };
}

it('keeps grave alerts of unrelated services apart, and what a person opens too', async () => {
  const { api, fire } = await servedHome();
  const ids = [];
  for (let n = 0; n < 60; n++) ids.push(await fire(`service-${n}`, 'Down'));
  expect(new Set(ids).size).toBe(60);
  const checkout = await fire('checkout', 'CheckoutIsDown');
  expect(ids).not.toContain(checkout);
  const opened = await api.send('POST', '/api/incidents', { title: 'it looks odd', service: 'checkout' });
  expect(opened.body).toMatchObject({ outcome: 'created' });
  expect((opened.body as { incident: string }).incident).not.toBe(checkout);
}, 60_000);

it('holds one fault together whose alerts end and begin one after the other', async () => {
  const { api, fire } = await servedHome({ settle_seconds: 6 });
  const slow = await fire('cart', 'Slow', WARNING);
  await api.until('a look', async () => (await api.incident(slow)).incident.rca);
  await fire('cart', 'Slow', { ...WARNING, endsAt: Date.now() });
  const gone = Date.now();
  await api.until('a pause', async () => Date.now() - gone > 3_500 || undefined);
  expect(await fire('cart', 'Errors')).toBe(slow);
  await fire('cart', 'Errors', { endsAt: Date.now() });
  await reached(api, slow, 'resolved');
  expect(await fire('cart', 'Errors')).not.toBe(slow);
}, 60_000);

it('says what another window or other calls would have made of the same alerts', async () => {
  const { fire, hermes } = await servedHome({}, [{ service: 'cart', dependencies: ['search'] }]);
  expect(await fire('cart', 'Slow')).toBe(await fire('search', 'Down'));
  expect(await hermes('replay-grouping', '--minutes', '20')).toContain(
    '1 incidents by the rules of now, 1 by',
  );
  const apart = await hermes('replay-grouping', '--without-calls', 'cart,search');
  expect(apart).toContain('1 incidents by the rules of now, 2 by the others');
  expect(apart).toMatch(/apart +cart \+ search/);
  await fire('search', 'Slow', { startsAt: Date.now() - 75 * 60_000 });
  const wider = await hermes('replay-grouping', '--minutes', '90');
  expect(wider).toContain('2 incidents by the rules of now, 1 by the others');
}, 60_000);

it('is mended by hand, learns from it, and forgets on request', async () => {
  const { api, host, fire, post, hermes } = await servedHome();
  const [cart, search] = [await fire('cart', 'Slow'), await fire('search', 'Slow')];
  expect(cart).not.toBe(search);
  const said = await hermes('replay-grouping', '--together', 'cart,search');
  expect(said).toContain('2 incidents by the rules of now, 1 by the others');
  expect(said).toContain('cart + search');
  expect(await hermes('replay-grouping', '--calls', 'cart,search')).toContain('cart + search');

  expect(await hermes('merge', search, cart)).toContain(`${search} is part of ${cart} now.`);
  expect((await api.incident(search)).incident).toMatchObject({
    state: 'closed',
    mergedInto: cart,
    alerts: 0,
  });
  const merged = await api.incident(cart);
  expect(merged.incident).toMatchObject({ alerts: 2, services: ['cart', 'search'] });
  expect(merged.members[1]?.why?.en).toMatch(/put it here$/);
  expect(await hermes('show', cart)).toMatch(/search Slow .*put it here/);

  const alone = await post(`/api/incidents/${cart}/move`, { service: 'search' });
  expect(alone).toMatchObject({ service: 'search', alerts: 1, byHand: true });
  const [first, second] = (await api.send('GET', '/api/grouping-rules')).body as { id: string }[];
  expect([first, second]).toMatchObject([
    { verdict: 'together', services: ['search', 'cart'] },
    { verdict: 'apart', services: ['search', 'cart'] },
  ]);
  expect(await hermes('grouping')).toMatch(/search \+ cart +apart/);

  // What was said last holds, until it is taken back.
  await post(`/api/incidents/${alone.id}/close`, { why: 'done' });
  expect(await fire('search', 'Errors')).not.toBe(cart);
  expect(await hermes('grouping', '--remove', second?.id ?? '')).toContain('is forgotten');
  for (const { id, service } of await api.incidents('search'))
    if (service === 'search') await api.send('POST', `/api/incidents/${id}/close`, { why: 'done' });
  expect(await fire('search', 'Timeouts')).toBe(cart);

  const { audit } = await host.gate();
  const lines = (await audit.last(50)).filter(({ kind }) => kind === 'incident.regrouped');
  expect(lines.map(({ data }) => data['what'])).toEqual(
    expect.arrayContaining(['merge', 'split', 'rule removed']),
  );
}, 90_000);

it('refuses to take everything out, or to touch what has ended', async () => {
  const { api, fire, post } = await servedHome();
  const [cart, search] = [await fire('cart', 'Slow'), await fire('search', 'Slow')];
  const move = (id: string, body: object) => api.send('POST', `/api/incidents/${id}/move`, body);
  expect(await move(cart, { service: 'cart' })).toMatchObject({ status: 409 });
  expect((await api.incident(cart)).incident).toMatchObject({ alerts: 1, services: ['cart'] });
  expect(await move(cart, { service: 'nobody' })).toMatchObject({ status: 404 });
  expect(await move(cart, {})).toMatchObject({ status: 400 });
  await post(`/api/incidents/${search}/close`, { why: 'done' });
  expect(await api.send('POST', `/api/incidents/${search}/merge`, { into: cart })).toMatchObject({
    status: 409,
  });
}, 60_000);
