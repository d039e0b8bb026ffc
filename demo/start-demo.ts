import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DeployRegistry } from '#kit/deploy-registry';
import type { BookedAlert } from './alerting/alert-book.ts';
import { createEvaluator } from './alerting/evaluator.ts';
import { startScraper } from './alerting/scraper.ts';
import type { AlertTarget } from './alerting/webhook.ts';
import type { DemoEvent } from './demo-event.ts';
import { type DemoStats, demoStats } from './demo-stats.ts';
import { type FaultControl, faultControl } from './faults/fault-control.ts';
import { type RunningPrometheus, startPrometheus } from './prometheus/start-prometheus.ts';
import { readRegistry, writeRegistry } from './runtime/registry-file.ts';
import { obeyRegistry } from './supervisor/obey-registry.ts';
import { type SpawnService, startSupervisor } from './supervisor/supervisor.ts';
import { initialRegistry } from './system/initial-registry.ts';
import { writeEnvironment } from './system/service-environment.ts';
import type { ServiceName } from './system/service-names.ts';
import type { OtlpTarget } from './telemetry/otlp-exporter.ts';
import { startTraffic } from './traffic/traffic.ts';

export interface DemoOptions {
  /** Databases, logs and the registry are kept here. */
  readonly dataDir: string;
  readonly otlp?: OtlpTarget;
  readonly alerts?: AlertTarget;
  readonly spawn: SpawnService;
  /** Debian's Prometheus and Alertmanager judge and deliver the alerts, instead of the demo itself. */
  readonly real?: boolean;
  readonly signal: AbortSignal;
}

export interface DemoService {
  readonly name: ServiceName;
  readonly url: string;
  /** Undefined while it is down. */
  readonly pid: number | undefined;
  readonly version: string;
}

export interface Demo extends FaultControl {
  readonly services: readonly DemoService[];
  readonly registryFile: string;
  /** Their addresses, with `real`. */
  readonly prometheus?: { readonly prometheus: string; readonly alertmanager: string };
  stats(): DemoStats;
  /** Alerts that fire now; none with `real`, where Alertmanager knows. */
  firing(): readonly BookedAlert[];
  /** Gives the function that ends it. */
  onEvent(listener: (event: DemoEvent) => void): () => void;
  /** Ends all processes. The same happens when the signal aborts, or when this process is killed. */
  close(): Promise<void>;
}

/** Starts the shop on a good day: services, traffic, alerting. Resolves when all services serve. */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const { dataDir, otlp, alerts, real = false } = options;
  const registryFile = join(dataDir, 'deployments.json');
  await mkdir(dataDir, { recursive: true });
  writeRegistry(registryFile, initialRegistry(Date.now(), formerRegistry(registryFile)));
  const listeners = new Set<(event: DemoEvent) => void>();
  const announce = (event: DemoEvent): void => listeners.forEach((listener) => listener(event));

  const supervisor = await startSupervisor({
    spawn: options.spawn,
    announce,
    env: writeEnvironment(dataDir, registryFile, otlp),
  });
  const stopping = new AbortController();
  const signal = AbortSignal.any([options.signal, stopping.signal]);
  const prometheus = real
    ? await startPrometheus(
        join(dataDir, 'prometheus'),
        portsOf(supervisor.services()),
        alerts,
        signal,
      ).catch(async (error: unknown) => {
        await supervisor.close();
        throw error;
      })
    : undefined;

  const urlOf = (name: ServiceName): string | undefined =>
    supervisor.services().find((service) => service.name === name)?.url;
  const traffic = startTraffic(() => urlOf('payment-service'));
  const scraper = startScraper(urlOf, () => void (real || evaluator.evaluate()), signal);
  const evaluator = createEvaluator(scraper, alerts, announce, signal);
  const registry = obeyRegistry(registryFile, supervisor, announce, signal);
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= end());
  const end = async (): Promise<void> => {
    stopping.abort();
    traffic.close();
    await Promise.all([supervisor.close(), prometheus?.close()]);
  };
  options.signal.addEventListener('abort', () => void close(), { once: true });
  if (options.signal.aborted) await close();

  return {
    ...faultControl({ registryFile, supervisor, traffic, announce }),
    get services() {
      const versionOf = (name: ServiceName): string => registry().services[name]?.version ?? '';
      return supervisor
        .services()
        .map(({ name, url, pid }) => ({ name, url, pid, version: versionOf(name) }));
    },
    registryFile,
    ...(prometheus ? { prometheus: addressesOf(prometheus) } : {}),
    stats: () => demoStats(scraper, traffic),
    firing: () => evaluator.firing(),
    onEvent: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close,
  };
}

const portsOf = (services: readonly { name: string; port: number }[]): Record<string, number> =>
  Object.fromEntries(services.map(({ name, port }) => [name, port]));

const addressesOf = ({ prometheus, alertmanager }: RunningPrometheus) => ({ prometheus, alertmanager });

/** What an earlier demo left; a file that cannot be read is replaced. */
function formerRegistry(file: string): DeployRegistry | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return readRegistry(file);
  } catch {
    return undefined;
  }
}
