import type { Topology } from '#spec/data';
import type { Logger, TelemetrySources } from '#spec/ports';

const LOOK_MS = 60_000;
const FIRST_MS = 5_000;
const BACK_MS = 30 * 60_000;
const PATIENCE_MS = 10_000;
const MOST_EDGES = 5_000;

/** Who calls whom: as people wrote it down, and as traces have shown it since. */
export interface KnownTopology {
  now(): Topology;
  changed(listener: (topology: Topology) => void): void;
  /** Looks at the traces from time to time. */
  follow(): void;
  close(): void;
}

export function knownTopology(
  written: Topology,
  sources: readonly TelemetrySources[],
  log: Logger,
): KnownTopology {
  const edges = new Map(written.edges.map((edge) => [`${edge.from}\n${edge.to}`, edge]));
  const listeners: ((topology: Topology) => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  const now = (): Topology => ({ edges: [...edges.values()] });
  const look = async (): Promise<void> => {
    const before = edges.size;
    const at = Date.now();
    const scope = {
      window: { start: new Date(at - BACK_MS).toISOString(), end: new Date(at).toISOString() },
      limit: MOST_EDGES,
    };
    for (const { traces } of sources) {
      if (!traces || edges.size >= MOST_EDGES) continue;
      // A backend that does not answer teaches nothing; evidence tells of it where it matters.
      const seen = await traces.topology(scope, AbortSignal.timeout(PATIENCE_MS)).catch((thrown: unknown) => {
        log.warn('part.failed', { part: `topology of ${traces.name}`, thrown });
        return undefined;
      });
      for (const edge of seen?.edges ?? []) edges.set(`${edge.from}\n${edge.to}`, edge);
    }
    if (edges.size > before) for (const listener of listeners) listener(now());
  };
  const later = (ms: number): void => {
    timer = setTimeout(() => void look().finally(() => timer && later(LOOK_MS)), ms).unref();
  };
  return {
    now,
    changed: (listener) => void listeners.push(listener),
    follow: () => later(FIRST_MS),
    close: () => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
