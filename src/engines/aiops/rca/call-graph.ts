import type { SpanRecord, Topology } from '#spec/data';

/** Who calls whom. */
export interface CallGraph {
  readonly callees: ReadonlyMap<string, ReadonlySet<string>>;
  readonly callers: ReadonlyMap<string, ReadonlySet<string>>;
  /** Everything that a service needs, directly or not, and the service itself. */
  reach(service: string): ReadonlySet<string>;
}

export function callGraph(topology: Topology | undefined, spans: readonly SpanRecord[]): CallGraph {
  const callees = new Map<string, Set<string>>();
  const callers = new Map<string, Set<string>>();
  const add = (from: string, to: string): void => {
    if (from === to) return;
    callees.set(from, (callees.get(from) ?? new Set()).add(to));
    callers.set(to, (callers.get(to) ?? new Set()).add(from));
  };
  for (const { from, to } of topology?.edges ?? []) add(from, to);
  const serviceOf = new Map(spans.map(({ traceId, spanId, service }) => [`${traceId} ${spanId}`, service]));
  for (const { traceId, parentId, service } of spans) {
    const caller = parentId ? serviceOf.get(`${traceId} ${parentId}`) : undefined;
    if (caller !== undefined) add(caller, service);
  }
  const reached = new Map<string, ReadonlySet<string>>();
  return {
    callees,
    callers,
    reach(service) {
      const known = reached.get(service);
      if (known) return known;
      const found = new Set([service]);
      for (const next of found) for (const callee of callees.get(next) ?? []) found.add(callee);
      reached.set(service, found);
      return found;
    },
  };
}
