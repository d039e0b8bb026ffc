import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Alert, Topology } from '#spec/data';
import type { OpenIncident } from '#spec/ports';
import { placeAlert } from './place-alert.ts';

const NOW = Date.parse('2026-08-01T10:00:00Z');
const SERVICES = Array.from({ length: 40 }, (_, n) => `s${n}`);

const alertOf = (service: string, n: number, seconds: number): Alert => ({
  fingerprint: `f${n}`,
  source: 'api',
  status: 'firing',
  title: 'An alert',
  severity: 'P2',
  service,
  labels: {},
  annotations: {},
  startsAt: new Date(NOW + seconds * 1000).toISOString(),
});

/** What a store makes of alerts, one after another. */
function incidentsOf(topology: Topology, alerts: readonly Alert[]): OpenIncident[] {
  const open: OpenIncident[] = [];
  const place = placeAlert({
    topology,
    maintenance: [],
    now: () => NOW,
    newId: () => `inc_${String(open.length).padStart(4, '0')}`,
  });
  for (const alert of alerts) {
    const placed = place(alert, open);
    if (placed.to === 'nowhere') throw new Error(placed.why.en);
    const { title, severity, service = '', startsAt } = alert;
    if (placed.to === 'new') {
      const { id } = placed;
      const state = 'investigating';
      open.push({
        id,
        title,
        severity,
        state,
        service,
        services: [service],
        startsAt,
        createdAt: NOW,
        alerts: 1,
        firing: 1,
      });
      continue;
    }
    const at = open.findIndex(({ id }) => id === placed.id);
    const joined = open[at];
    if (!joined) throw new Error(`there is no ${placed.id}`);
    open[at] = {
      ...joined,
      services: [...new Set([...joined.services, service])],
      alerts: joined.alerts + 1,
    };
  }
  return open;
}

function neighboursOf({ edges }: Topology): (service: string) => ReadonlySet<string> {
  const around = new Map(SERVICES.map((service) => [service, new Set([service])]));
  for (const { from, to } of edges) {
    around.get(from)?.add(to);
    around.get(to)?.add(from);
  }
  return (service) => around.get(service) ?? new Set([service]);
}

/** Services that cannot be reached from one another in steps of two calls from alert to alert. */
function islands(topology: Topology, services: ReadonlySet<string>): number {
  const near = neighboursOf(topology);
  const left = new Set(services);
  let count = 0;
  for (const first of services) {
    if (!left.delete(first)) continue;
    count += 1;
    const island = new Set([first]);
    for (const service of island)
      for (const one of near(service)) for (const two of near(one)) if (left.delete(two)) island.add(two);
  }
  return count;
}

/** Services so that each one that has an alert is one of them or next to one, taken greedily. */
function guards(topology: Topology, services: ReadonlySet<string>): number {
  const near = neighboursOf(topology);
  const left = new Set(services);
  let count = 0;
  while (left.size > 0) {
    const covers = (service: string) => [...near(service)].filter((one) => left.has(one)).length;
    const [best = ''] = SERVICES.toSorted((a, b) => covers(b) - covers(a));
    for (const one of near(best)) left.delete(one);
    count += 1;
  }
  return count;
}

const service = fc.integer({ min: 0, max: 39 }).map((n) => `s${n}`);
const topology = fc
  .array(fc.record({ from: service, to: service }), { maxLength: 80 })
  .map((edges): Topology => ({ edges }));

describe('a storm', () => {
  it('gives an incident for each separate part at least, and one for each guard at most, in any order', () => {
    fc.assert(
      fc.property(
        topology,
        fc.array(fc.tuple(service, fc.integer({ min: 0, max: 299 })), { minLength: 1, maxLength: 200 }),
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        (calls, storm, order) => {
          const alerts = storm.map(([name, seconds], n) => alertOf(name, n, seconds));
          const shuffled = alerts
            .map((alert) => ({ alert, at: order.next().value }))
            .sort((a, b) => a.at - b.at)
            .map(({ alert }) => alert);
          const services = new Set(storm.map(([name]) => name));
          // Five incidents within what calls connect are a storm of its own, so islands may grow together from there on.
          const [parts, most] = [islands(calls, services), guards(calls, services)];
          const least = Math.min(parts, 5);
          for (const one of [alerts, alerts.toReversed(), shuffled]) {
            const incidents = incidentsOf(calls, one);
            expect(incidents.length).toBeGreaterThanOrEqual(least);
            expect(incidents.length).toBeLessThanOrEqual(most);
            expect(incidents.reduce((sum, { alerts: count }) => sum + count, 0)).toBe(alerts.length);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('of a thousand alerts over forty services is a handful, in any order', () => {
    // Three rings of services around a gateway, as systems of that size are built.
    const edges = SERVICES.slice(1).map((to, n) => ({ from: `s${Math.floor(n / 4)}`, to }));
    fc.assert(
      fc.property(
        fc.shuffledSubarray(SERVICES, { minLength: 40 }),
        fc.integer({ min: 1, max: 39 }),
        (order, step) => {
          const alerts = Array.from({ length: 1000 }, (_, n) =>
            alertOf(order[(n * step) % 40] ?? 's0', n, n % 300),
          );
          expect(incidentsOf({ edges }, alerts).length).toBeLessThanOrEqual(5);
        },
      ),
      { numRuns: 20 },
    );
  });

  it('of services that nobody knows stops opening incidents', () => {
    const alerts = Array.from({ length: 1000 }, (_, n) => alertOf(`unknown-${n}`, n, 0));
    const incidents = incidentsOf({ edges: [] }, alerts);
    expect(incidents).toHaveLength(50);
    expect(incidents.reduce((sum, { alerts: count }) => sum + count, 0)).toBe(1000);
  });
});
