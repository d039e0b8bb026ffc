import { asText } from '#kit/text';
import { expect, it, onTestFinished } from 'vitest';
import { openHost } from '#host';
import { makeIncidentHome } from '#testkit/incident-home';
import type { Incident } from '#spec/data';
import { ask } from '#support/server/scripted-server';
import { serveHome } from '../serve-home.ts';

/** As long as a record with a good deal of evidence is. */
const whole = (index: number): Incident => ({
  id: `inc_${index}`,
  title: `incident ${index}`,
  severity: 'P2',
  state: 'recovered',
  service: 'payments',
  services: ['payments'],
  source: 'test',
  startsAt: '2026-03-01T12:00:00Z',
  alerts: 2,
  firing: 0,
  round: 1,
  rca: {
    status: 'concluded',
    hypotheses: [
      {
        category: 'disk',
        service: 'ledger',
        confidence: 0.9,
        supports: [],
        refutes: [],
        why: asText('full'),
      },
    ],
    evidence: Array.from({ length: 20 }, (_, at) => ({
      id: `ev_${at}`,
      kind: 'log' as const,
      summary: asText('no space left on device '.repeat(10)),
      query: 'logs{}',
      window: { start: '2026-03-01T12:00:00Z', end: '2026-03-01T12:10:00Z' },
      score: 0.5,
    })),
    missing: [],
  },
  createdAt: 1_000 + index,
  updatedAt: 2_000 + index,
  closedAt: 2_000 + index,
});

it('lists what lists show, and whole records where they are asked for', async () => {
  const home = await makeIncidentHome();
  onTestFinished(() => home.remove());
  const host = await openHost({ env: home.env, version: '1.2.3' });
  onTestFinished(() => host.close());
  const served = await serveHome(host);
  onTestFinished(() => served.close());
  for (let index = 0; index < 600; index++)
    await served.incidents.restore({ incident: whole(index), alerts: [], facts: [] });
  const list = async (query: string) => {
    const reply = await ask(served, `/api/incidents${query}`, { token: home.readOnlyToken });
    return { bytes: reply.text.length, items: reply.json() as unknown as Record<string, unknown>[] };
  };
  const slim = await list('?limit=500');
  expect(slim.items).toHaveLength(500);
  expect(slim.items[0]).toEqual({
    id: 'inc_599',
    title: 'incident 599',
    severity: 'P2',
    state: 'recovered',
    service: 'payments',
    services: ['payments'],
    startsAt: '2026-03-01T12:00:00Z',
    alerts: 2,
    firing: 0,
    createdAt: 1_599,
    updatedAt: 2_599,
    closedAt: 2_599,
    verdict: 'concluded',
    cause: 'disk',
    blamed: 'ledger',
  });
  expect(slim.bytes).toBeLessThan(500 * 400);
  expect((await list('?state=closed')).items).toEqual([]);
  const [full] = (await list('?limit=1&full=true')).items;
  expect(full).toEqual(whole(599));
});
