import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Alert, Topology } from '#spec/data';
import { drawStorm, type StormAlert } from '#testkit/simulator';
import { replayGrouping } from './replay-grouping.ts';

const isGrave = ({ severity }: Pick<Alert, 'severity'>): boolean => severity === 'P1' || severity === 'P2';

/** The incidents that alerts make, and the one of each. */
function grouped(topology: Topology, alerts: readonly StormAlert[]) {
  const groups = replayGrouping(alerts, { topology, maintenance: [] });
  const where = new Map(groups.flatMap(({ id, alerts: own }) => own.map((alert) => [alert, id] as const)));
  return { groups, incidentOf: (alert: Alert) => where.get(alert) ?? '' };
}

/** The partition as it can be compared: the first alert of its incident, for each alert. */
function partition({ incidentOf }: ReturnType<typeof grouped>, alerts: readonly StormAlert[]): number[] {
  const ids = alerts.map(({ alert }) => incidentOf(alert));
  return ids.map((id) => ids.indexOf(id));
}

/** Whether calls lead from one to the other, either way, through however many. */
function connections({ edges }: Topology): (one: string, other: string) => boolean {
  const callees = Map.groupBy(edges, ({ from }) => from);
  const leads = (from: string, to: string): boolean => {
    const found = new Set([from]);
    for (const one of found) for (const edge of callees.get(one) ?? []) found.add(edge.to);
    return found.has(to);
  };
  return (one, other) => leads(one, other) || leads(other, one);
}

const seed = fc.integer({ min: 0, max: 100_000 }).map((n) => `property ${n}`);
const drawn = (name: string) => drawStorm({ seed: name, alerts: 120 });

/** What stays true in whatever form a storm comes. */
describe('a storm', () => {
  it('is grouped alike whatever its services are called', () => {
    fc.assert(
      fc.property(seed, (name) => {
        const { topology, alerts } = drawn(name);
        const called = new Map<string, string>();
        const other = (service: string): string =>
          called.get(service) ?? called.set(service, `x${called.size * 7919}`).get(service) ?? '';
        const renamed = alerts.map((one) => ({
          ...one,
          alert: { ...one.alert, service: other(one.alert.service ?? ''), title: 'An alert' },
        }));
        const edges = topology.edges.map(({ from, to }) => ({ from: other(from), to: other(to) }));
        expect(partition(grouped({ edges }, renamed), renamed)).toEqual(
          partition(grouped(topology, alerts), alerts),
        );
      }),
      { numRuns: 25 },
    );
  });

  it('is grouped alike whatever the order in which calls are listed', () => {
    fc.assert(
      fc.property(seed, (name) => {
        const { topology, alerts } = drawn(name);
        const turned = { edges: topology.edges.toReversed() };
        expect(partition(grouped(turned, alerts), alerts)).toEqual(
          partition(grouped(topology, alerts), alerts),
        );
      }),
      { numRuns: 25 },
    );
  });

  it('puts no grave alert with services that no calls connect it with, in any order, with or without topology', () => {
    fc.assert(
      fc.property(seed, fc.boolean(), fc.boolean(), (name, turned, blind) => {
        const { topology, alerts } = drawn(name);
        const at = alerts.at(-1)?.at ?? 0;
        const came = turned ? alerts.toReversed().map((one) => ({ ...one, at })) : alerts;
        const known = blind ? { edges: [] } : topology;
        const result = grouped(known, came);
        const connected = connections(known);
        const swallowed = came.filter(({ alert }) => {
          const id = result.incidentOf(alert);
          const all = came.filter((one) => result.incidentOf(one.alert) === id);
          const others = all.map((one) => one.alert.service ?? '').filter((one) => one !== alert.service);
          return (
            isGrave(alert) &&
            others.length > 0 &&
            !others.some((other) => connected(alert.service ?? '', other))
          );
        });
        expect(swallowed).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  it('without topology keeps services apart, and gathers only lesser ones in the storm', () => {
    fc.assert(
      fc.property(seed, (name) => {
        const { alerts } = drawn(name);
        const { groups } = grouped({ edges: [] }, alerts);
        for (const { storm, services, severity } of groups) {
          if (storm) expect(severity).toMatch(/P[34]/);
          else expect(services).toHaveLength(1);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('of a thousand alerts over a whole system is a handful, in any order', () => {
    // Three rings of services around a gateway, as systems of that size are built.
    const services = Array.from({ length: 40 }, (_, n) => `s${n}`);
    const edges = services.slice(1).map((to, n) => ({ from: `s${Math.floor(n / 4)}`, to }));
    const [some] = drawn('whole').alerts;
    if (!some) throw new Error('no alert');
    fc.assert(
      fc.property(
        fc.shuffledSubarray(services, { minLength: 40 }),
        fc.constantFrom(1, 3, 7, 9, 11, 13, 39),
        (order, step) => {
          const alerts = Array.from({ length: 1000 }, (_, n) => ({
            ...some,
            alert: { ...some.alert, fingerprint: `f${n}`, service: order[(n * step) % 40] ?? 's0' },
          }));
          expect(grouped({ edges }, alerts).groups.length).toBeLessThanOrEqual(5);
        },
      ),
      { numRuns: 20 },
    );
  });
});
