import { defineRoute, type Route } from '#spec/ports';
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
  return [
    defineRoute({
      method: 'GET',
      path: '/healthz',
      access: 'public',
      handle: () => Promise.resolve({ status: 200, body: { status: 'ok' } }),
    }),
    // What is not ready is nobody's business who has no token.
    ready(deps, '/readyz', 'public'),
    ready(deps, '/readyz/details', 'read'),
    defineRoute({
      method: 'GET',
      path: '/metrics',
      access: 'read',
      async handle() {
        const { body, type } = await deps.metrics.text();
        return { status: 200, headers: { 'content-type': type }, body };
      },
    }),
  ];
}

const ready = (deps: HealthDeps, path: string, access: 'public' | 'read'): Route =>
  defineRoute({
    method: 'GET',
    path,
    access,
    async handle() {
      const { ok, details } = deps.draining()
        ? { ok: false, details: { server: 'shutting down' } }
        : await inTime(deps.readiness, deps.readinessMs);
      const status = ok ? 'ok' : 'unavailable';
      return { status: ok ? 200 : 503, body: access === 'public' ? { status } : { status, details } };
    },
  });

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
