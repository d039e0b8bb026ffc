import type { Topology } from '#spec/data';

/** Callers and callees within `distance` calls of the given services, with these, in order of distance. */
export function nearServices(from: readonly string[], { edges }: Topology, distance: number): string[] {
  const near = new Set(from);
  let rim: readonly string[] = [...near];
  for (let step = 0; step < distance && rim.length; step++) {
    const next = edges.flatMap((edge) => [
      ...(rim.includes(edge.from) ? [edge.to] : []),
      ...(rim.includes(edge.to) ? [edge.from] : []),
    ]);
    rim = [...new Set(next)].filter((service) => !near.has(service)).toSorted();
    for (const service of rim) near.add(service);
  }
  return [...near];
}
