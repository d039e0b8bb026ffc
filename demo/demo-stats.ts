import type { Scraper } from './alerting/scraper.ts';
import type { ServiceView } from './alerting/service-view.ts';
import { SERVICE_NAMES, type ServiceName } from './system/service-names.ts';
import type { Outcomes } from './traffic/outcomes.ts';
import type { Traffic } from './traffic/traffic.ts';

export interface ServiceStats extends Outcomes {
  readonly memoryMb: number | undefined;
  /** The fullest connection pool: 1 is full. */
  readonly poolShare: number;
  /** Share of health checks that were answered. */
  readonly up: number;
  readonly restarts: number;
}

/** Of the last seconds. */
export interface DemoStats {
  /** As the users see it; `sent` counts from the start. */
  readonly traffic: Outcomes & { readonly sent: number };
  readonly services: Readonly<Record<ServiceName, ServiceStats>>;
}

const SECONDS = 5;

export function demoStats(scraper: Scraper, traffic: Traffic): DemoStats {
  const services = SERVICE_NAMES.map((name) => [name, statsOf(scraper.view(name, SECONDS))]);
  return {
    traffic: traffic.seen(),
    services: Object.fromEntries(services) as DemoStats['services'],
  };
}

function statsOf({ byCode, rps, p95Ms, memoryBytes, poolShare, up, restarts }: ServiceView): ServiceStats {
  const codes = Object.entries(byCode).filter(([, perSecond]) => perSecond > 0);
  return {
    rps,
    ok: codes.reduce((sum, [code, perSecond]) => (code < '400' ? sum + perSecond : sum), 0),
    errors: Object.fromEntries(codes.filter(([code]) => code >= '400')),
    p95Ms,
    memoryMb: memoryBytes === undefined ? undefined : memoryBytes / 1e6,
    poolShare,
    up,
    restarts,
  };
}
