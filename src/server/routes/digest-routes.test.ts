import { expect, it, onTestFinished } from 'vitest';
import { openHost } from '#host';
import { makeIncidentHome } from '#testkit/incident-home';
import { ask } from '#support/server/scripted-server';
import { serveHome } from '../serve-home.ts';

interface Told {
  readonly opened: readonly string[];
  readonly services: readonly { readonly service: string; readonly incidents: readonly string[] }[];
  readonly buckets: readonly unknown[];
  readonly zone: string;
}

it('tells what happened in a stretch of time, as JSON and as Markdown', async () => {
  const home = await makeIncidentHome({ env: { SHOP_TOKEN: 'hush-hush-secret' } });
  onTestFinished(() => home.remove());
  const host = await openHost({ env: home.env, version: '1.2.3' });
  onTestFinished(() => host.close());
  const served = await serveHome(host);
  onTestFinished(() => served.close());
  const open = (title: string, service: string) =>
    ask(served, '/api/incidents', {
      method: 'POST',
      token: home.token,
      body: JSON.stringify({ title, service, severity: 'P2' }),
    });
  await open('checkout | fails with hush-hush-secret', 'checkout');
  await open('orders are slow', 'orders');
  const now = Date.now();
  const digest = (query: string) => ask(served, `/api/digests?${query}`, { token: home.readOnlyToken });
  const day = `from=${now - 43_200_000}&to=${now + 43_200_000}`;

  const told = (await digest(`${day}&zone=Asia/Shanghai`)).json() as unknown as Told;
  expect(told.opened).toHaveLength(2);
  expect(told.services.map(({ service }) => service).toSorted()).toEqual(['checkout', 'orders']);
  expect(told).toMatchObject({ zone: 'Asia/Shanghai', cut: false });
  expect(told.buckets).toHaveLength(24);
  const earlier = `from=${new Date(now - 2e8).toISOString()}&to=${new Date(now - 1e8).toISOString()}`;
  expect((await digest(earlier)).json()).toMatchObject({ opened: [], incidents: [] });

  const markdown = await digest(`${day}&format=md&language=zh&zone=UTC`);
  expect(markdown.headers['content-type']).toBe('text/markdown; charset=utf-8');
  expect(markdown.headers['content-disposition']).toMatch(/^attachment; filename="digest-\d{4}-/);
  expect(markdown.text).toContain('# 事故摘要');
  expect(markdown.text).toContain('- 新增: **2**');
  expect(markdown.text).toContain('checkout \\| fails');
  expect(`${markdown.text}${JSON.stringify(told)}`).not.toContain('hush-hush-secret');

  for (const query of [
    '',
    'from=1',
    `from=${now}&to=${now - 1}`,
    'from=1&to=x',
    'from=8999999999999998&to=8999999999999999',
    'from=8999999999999998&to=8999999999999999&format=md',
    'from=-9000000000000000&to=-8999999999999999&format=md',
    `${day}&zone=Moon/Base`,
    `${day}&format=pdf`,
  ])
    expect([query, (await digest(query)).status]).toEqual([query, 400]);
  expect((await ask(served, `/api/digests?${day}`)).status).toBe(401);
});
