import type { Topology } from '#spec/data';

/** How many calls two services are apart, in either direction: 0 for the same one, undefined where no calls lead. */
export type Distance = (one: string, other: string) => number | undefined;

export function callDistance({ edges }: Topology): Distance {
  const neighbours = new Map<string, Set<string>>();
  const join = (one: string, other: string): void => {
    neighbours.set(one, (neighbours.get(one) ?? new Set()).add(other));
  };
  for (const { from, to } of edges) {
    join(from, to);
    join(to, from);
  }
  const around = new Map<string, ReadonlyMap<string, number>>();
  const aroundOf = (service: string): ReadonlyMap<string, number> => {
    const known = around.get(service);
    if (known) return known;
    const found = new Map([[service, 0]]);
    // A map gives what is added to it while it is gone through, so this goes outwards ring by ring.
    for (const [near, far] of found) {
      for (const next of neighbours.get(near) ?? []) if (!found.has(next)) found.set(next, far + 1);
    }
    around.set(service, found);
    return found;
  };
  return (one, other) => {
    if (one === other) return 0;
    return neighbours.has(one) ? aroundOf(one).get(other) : undefined;
  };
}
