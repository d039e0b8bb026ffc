import { join } from 'node:path';
import type { DeployedService } from '#kit/deploy-registry';
import { newId } from '#kit/new-id';
import { createCardNetwork } from './runtime/card-network.ts';
import { createClientCall } from './runtime/client-call.ts';
import { hearParent } from './runtime/control-channel.ts';
import { createCrash } from './runtime/crash.ts';
import { createDataAccess, type DataAccess } from './runtime/data-access.ts';
import { prepareDatabases } from './runtime/database.ts';
import { createCallPeer } from './runtime/http-client.ts';
import { startHttpServer } from './runtime/http-server.ts';
import { createMemoryLeak } from './runtime/memory-leak.ts';
import { memoryLimit, processGauges } from './runtime/process-gauges.ts';
import { createProcessors } from './runtime/processors.ts';
import { createRateLimiter } from './runtime/rate-limiter.ts';
import { Refused } from './runtime/refused.ts';
import { setting, watchRegistry } from './runtime/registry-file.ts';
import { between } from './runtime/wait.ts';
import { couponService } from './services/coupon-service.ts';
import { orderService } from './services/order-service.ts';
import { paymentService } from './services/payment-service.ts';
import type { Service, ServiceParts } from './services/service-parts.ts';
import { healthyServices } from './system/initial-registry.ts';
import { pickReplica, replicasOf } from './system/replicas.ts';
import { readEnvironment, type ServiceEnvironment } from './system/service-environment.ts';
import type { Peers, ServiceName } from './system/service-names.ts';
import type { World } from './system/world.ts';
import { openTelemetry, type ServiceTelemetry } from './telemetry/open-telemetry.ts';

const SERVICES: Readonly<Record<ServiceName, (parts: ServiceParts) => Service>> = {
  'payment-service': paymentService,
  'order-service': orderService,
  'coupon-service': couponService,
};

const GAUGES_MS = 1_000;
const LAST_WORDS_MS = 1_000;
const SLOW_DISK_MS = [250, 560] as const;
const USUAL_RATE_LIMIT = 200;

/** What a service is told, and may change at any time. */
interface Told {
  state: DeployedService;
  world: World;
  peers: Peers;
}

/**
 * Runs one service of the demo until its standard input closes, or until it crashes, and resolves to the exit code. The
 * caller ends the process with it.
 */
export async function runService(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const environment = readEnvironment(name, env);
  const { service: own, folder, otlp } = environment;
  const told: Told = { state: healthyServices()[own] as DeployedService, world: {}, peers: {} };
  const telemetry = openTelemetry({
    service: own,
    version: () => told.state.version,
    instance: newId(own),
    logFile: join(folder, `${own}.log`),
    ...(otlp ? { otlp } : {}),
  });
  prepareDatabases(folder, own);
  const data = openData(environment, telemetry, told);
  const callOut = createClientCall(telemetry.meter);
  const state = (): DeployedService => told.state;
  const world = (): World => told.world;
  const service = SERVICES[own]({
    meter: telemetry.meter,
    logger: telemetry.logger,
    data,
    call: createCallPeer(() => told.peers, callOut),
    authorize: createCardNetwork(callOut, state, world),
    state,
    world,
  });
  const code = await serve(environment, service, { telemetry, data, told });
  await within(LAST_WORDS_MS, telemetry.close());
  data.close();
  return code;
}

const openData = (
  { service, folder }: ServiceEnvironment,
  telemetry: ServiceTelemetry,
  told: Told,
): DataAccess =>
  createDataAccess(
    service,
    {
      folder,
      service,
      diskMs: (target) =>
        told.world.slowPrimary === service && target !== 'replica' ? between(...SLOW_DISK_MS) : 0,
      statementTimeoutMs: () => setting(told.state, 'statement_timeout_ms', 1000),
    },
    telemetry,
    told.state,
  );

interface Running {
  readonly telemetry: ServiceTelemetry;
  readonly data: DataAccess;
  readonly told: Told;
}

/** Serves, obeys the registry and meets the world, until it is over. */
async function serve(
  { service: name, registryFile, port, restarts }: ServiceEnvironment,
  service: Service,
  { telemetry, data, told }: Running,
): Promise<number> {
  const { meter, logger, tracer } = telemetry;
  const startedAt = Date.now();
  const ended = Promise.withResolvers<number>();
  const stopping = new AbortController();
  const limit = memoryLimit();
  const leak = createMemoryLeak(logger, limit);
  const crash = createCrash(logger, () => ended.resolve(1));
  const meetWorld = (): void => {
    const { leak: leaking, crash: crashing } = told.world;
    leak.set(leaking?.service === name && startedAt < leaking.since);
    const { restartedAt } = told.state;
    const deployedAt = restartedAt === undefined ? 0 : Date.parse(restartedAt);
    crash.set(crashing?.service === name && deployedAt <= crashing.since);
  };
  const obey = (next: DeployedService | undefined): void => {
    if (!next) return;
    told.state = next;
    data.obey(next);
    service.obey?.(next);
    meetWorld();
  };
  watchRegistry(registryFile, ({ services }) => obey(services[name]), stopping.signal);
  const stopHearing = hearParent(
    process.stdin,
    ({ peers, world }) => {
      if (peers) told.peers = peers;
      if (world) told.world = world;
      meetWorld();
    },
    () => ended.resolve(0),
  );
  const limited = rateLimit(telemetry, told);
  const processors = createProcessors(telemetry, (node) => told.world.takenNode === node);
  const server = await startHttpServer(
    {
      endpoints: service.endpoints,
      meter,
      tracer,
      logger,
      state: () => told.state,
      pickReplica: () => pickReplica(name, told.state.replicas),
      admit: async (client, replica, span) => {
        await processors.admit(replica, span);
        leak.admit();
        limited(client);
      },
    },
    port,
  );
  const measureProcess = processGauges(meter, limit, restarts);
  const gauges = startGauges(() => {
    measureProcess();
    processors.measure(replicasOf(name, told.state.replicas));
    data.measure();
  });
  if (restarts) logger.log('warn', `restarted after a crash: restart ${restarts}, back-off restarting`);
  else logger.log('info', `${name} ${told.state.version} listens on port ${server.port}`);
  process.stdout.write(`${JSON.stringify({ port: server.port })}\n`);

  const code = await ended.promise;
  stopping.abort();
  stopHearing();
  clearInterval(gauges);
  crash.close();
  // A crash answers nobody any more.
  if (code === 0) await within(LAST_WORDS_MS, server.close());
  leak.close();
  return code;
}

/** Throws `Refused` 429 beyond the limit. */
function rateLimit({ meter }: ServiceTelemetry, told: Told): (client: string) => void {
  const allowed = (): number => setting(told.state, 'rate_limit_rps', USUAL_RATE_LIMIT);
  const limiter = createRateLimiter(allowed, Date.now);
  return (client) => {
    if (limiter.admit(client)) return;
    meter.measure('limited', 1);
    const seen = `${limiter.seen(client)} requests/s of client ${client}`;
    throw new Refused(429, `rate limit exceeded: ${seen} against ${allowed()} allowed`, 'rate_limited');
  };
}

function startGauges(measure: () => void): NodeJS.Timeout {
  measure();
  return setInterval(measure, GAUGES_MS);
}

const within = (ms: number, work: Promise<void>): Promise<void> =>
  Promise.race([work, new Promise<void>((resolve) => setTimeout(resolve, ms).unref())]);
