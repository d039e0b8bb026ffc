import { API } from '#spec/api';
import type { Route } from '#spec/ports';
import { implement } from './implement.ts';
import type { ServerMetrics } from './server-metrics.ts';

export interface Readiness {
  readonly ok: boolean;
  readonly details: Readonly<Record<string, unknown>>;
}

interface HealthDeps {
  readonly readiness: () => Promise<Readiness>;
  readonly draining: () => boolean;
  readonly metrics: ServerMetrics;
  readonly readinessMs: number;
}

/** Alive, ready, and the numbers of the server itself. */
export function healthRoutes(deps: HealthDeps): readonly Route[] {
  const { alive, metrics, ready, readyDetails } = API.server;
  return [
    implement(alive, async () => ({ body: { status: wordOf(true) } })),
    // What is not ready is nobody's business who has no token.
    implement(ready, async () => {
      const { ok } = await readinessOf(deps);
      return { status: statusOf(ok), body: { status: wordOf(ok) } };
    }),
    implement(readyDetails, async () => {
      const { ok, details } = await readinessOf(deps);
      return { status: statusOf(ok), body: { status: wordOf(ok), details } };
    }),
    implement(metrics, async () => {
      const { body, type } = await deps.metrics.text();
      return { headers: { 'content-type': type }, body };
    }),
  ];
}

const statusOf = (ok: boolean): number => (ok ? 200 : 503);
const wordOf = (ok: boolean): 'ok' | 'unavailable' => (ok ? 'ok' : 'unavailable');

const readinessOf = async ({ draining, readiness, readinessMs }: HealthDeps): Promise<Readiness> =>
  draining() ? { ok: false, details: { server: 'shutting down' } } : inTime(readiness, readinessMs);

/** A part that does not answer is not ready. */
async function inTime(readiness: () => Promise<Readiness>, ms: number): Promise<Readiness> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Readiness>((resolve) => {
    timer = setTimeout(() => resolve({ ok: false, details: { readiness: 'did not answer' } }), ms);
  });
  const asked = readiness().catch((thrown: unknown) => ({
    ok: false,
    details: { readiness: thrown instanceof Error ? thrown.message : String(thrown) },
  }));
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}
