import type { Topology } from '#spec/data';

type Services = ReadonlySet<string>;

export interface CallReach {
  /** Whom a service calls: what it may suffer from. */
  callees(service: string): Services;
  /** Who calls it: who may suffer from it. */
  callers(service: string): Services;
  /** What calls connect with it, itself included; the same object for all of them. */
  island(service: string): { readonly size: number } | undefined;
}

const NOBODY: Services = new Set();

export function callReach({ edges }: Topology): CallReach {
  const callees = new Map<string, Set<string>>();
  const callers = new Map<string, Set<string>>();
  const add = (to: Map<string, Set<string>>, one: string, other: string): void => {
    if (one !== other) to.set(one, (to.get(one) ?? new Set()).add(other));
  };
  for (const { from, to } of edges) {
    add(callees, from, to);
    add(callers, to, from);
  }
  return {
    callees: (service) => callees.get(service) ?? NOBODY,
    callers: (service) => callers.get(service) ?? NOBODY,
    island: islandsOf(callees, callers),
  };
}

function islandsOf(...ways: readonly ReadonlyMap<string, Services>[]): CallReach['island'] {
  const islands = new Map<string, { readonly size: number }>();
  for (const first of ways.flatMap((way) => [...way.keys()])) {
    if (islands.has(first)) continue;
    const found = new Set([first]);
    for (const service of found)
      for (const way of ways) for (const other of way.get(service) ?? []) found.add(other);
    const island = { size: found.size };
    for (const service of found) islands.set(service, island);
  }
  return (service) => islands.get(service);
}
