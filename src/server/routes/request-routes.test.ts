import { asText } from '#kit/text';
import { expect, it, onTestFinished } from 'vitest';
import { openHost } from '#host';
import type { Action, Requester } from '#spec/data';
import { makeIncidentHome, personOf } from '#testkit/incident-home';
import { ask } from '#support/server/scripted-server';
import { serveHome } from '../serve-home.ts';

const ANNA = 'the-token-of-anna-0123456';
const OLGA = 'the-token-of-olga-0123456';
const requester: Requester = {
  caller: 'chat',
  platform: 'cli',
  profile: 'default',
  session: 'ses_1',
  user: 'olga',
};
const action: Action = {
  tool: 'terminal',
  level: 2,
  input: { command: 'systemctl restart web' },
  shown: 'systemctl restart web',
};

async function servedGate() {
  const home = await makeIncidentHome({
    users: [personOf('anna', 'approver', ANNA), personOf('olga', 'operator', OLGA)],
  });
  onTestFinished(() => home.remove());
  const host = await openHost({ env: home.env, version: '0' });
  onTestFinished(() => host.close());
  const served = await serveHome(host);
  onTestFinished(() => served.close());
  const gate = await host.gate();
  const send = async (method: string, path: string, token: string) => {
    const { status, text } = await ask(served, path, { method, token });
    return { status, body: JSON.parse(text) as unknown };
  };
  const request = (id: string, platform = 'cli') =>
    gate.ask({
      id,
      action,
      requester: { ...requester, platform },
      reasons: [asText('It restarts something.')],
      separate: false,
      waitMs: 60_000,
    });
  return { gate, send, request };
}

it('shows what agents wait for to those who may agree, and takes their answer', async () => {
  const { gate, send, request } = await servedGate();
  const [first, second] = [await request('apr_one'), await request('apr_two')];
  await request('apr_three', 'incident');

  expect(await send('GET', '/api/requests', OLGA)).toMatchObject({ status: 403 });
  const { body } = await send('GET', '/api/requests', ANNA);
  expect(body).toHaveLength(2);
  expect(body).toContainEqual(
    expect.objectContaining({
      id: first.id,
      shown: 'systemctl restart web',
      tool: 'terminal',
      reasons: [asText('It restarts something.')],
      asks: { caller: 'chat', platform: 'cli', user: 'olga', session: 'ses_1' },
    }),
  );

  expect(await send('POST', `/api/requests/${first.id}/approve`, OLGA)).toMatchObject({ status: 403 });
  expect(await send('POST', `/api/requests/${first.id}/approve`, ANNA)).toMatchObject({
    status: 200,
    body: { state: 'granted' },
  });
  expect(await send('POST', `/api/requests/${second.id}/reject`, ANNA)).toMatchObject({
    status: 200,
    body: { state: 'denied' },
  });
  expect((await gate.approvals.get(first.id))?.decidedBy).toEqual({ channel: 'user', user: 'anna' });
  expect(await send('POST', `/api/requests/${first.id}/reject`, ANNA)).toMatchObject({ status: 409 });
  expect((await send('GET', '/api/requests', ANNA)).body).toEqual([]);
});
