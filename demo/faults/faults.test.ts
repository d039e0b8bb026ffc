import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoUnderTest, openDemo } from '#support/demo/demo-under-test';
import type { OtlpSink } from '#support/demo/otlp-sink';
import { type Edit, flush, REMEDIES, restart } from '#support/demo/remedies';
import { FAULTS, type FaultId } from '../index.ts';
import { createPool } from '../runtime/connection-pool.ts';
import { editRegistry } from '../runtime/registry-file.ts';

interface FaultCase {
  readonly id: FaultId;
  /** What telemetry shows of it, in the place where it belongs. */
  shows(sink: OtlpSink): boolean;
  readonly log: RegExp;
  /** An action that does not help: to which service, and what. */
  readonly wrong: readonly [string, Edit];
}

/** How much of the time the replica of a service on a machine stands still. */
const pressure = (sink: OtlpSink, service: string, node: string): number =>
  sink.level(service, 'container.cpu.pressure', node);

/** Whether the service gives such answers, more than now and then. */
const answers = (sink: OtlpSink, service: string, code: number): boolean => sink.rate(service, code) > 0.5;

const CASES: readonly FaultCase[] = [
  {
    id: 'MEMORY_LEAK',
    shows: (sink) => sink.level('order-service', 'process.memory.usage') > 190_000_000,
    log: /memory pressure: \d+ MB of \d+ MB in use/,
    wrong: ['order-service', flush],
  },
  {
    id: 'PAYMENT_503_AFTER_DEPLOY',
    shows: (sink) => sink.rate('payment-service', 503, 'v2.3.1') > 1 && !answers(sink, 'order-service', 503),
    log: /connection pool exhausted: 2\/2 in use, waited 500 ms/,
    wrong: ['payment-service', restart],
  },
  {
    id: 'DOWNSTREAM_CRASH',
    shows: (sink) =>
      sink.level('coupon-service', 'process.restarts') > 0 && sink.rate('payment-service', 503) > 0,
    log: /panic: rules snapshot corrupt/,
    wrong: ['coupon-service', flush],
  },
  {
    id: 'COUPON_504_TIMEOUT',
    shows: (sink) => answers(sink, 'coupon-service', 504) && answers(sink, 'payment-service', 504),
    log: /promotion rules timed out: no answer within 1200 ms/,
    wrong: ['coupon-service', restart],
  },
  {
    id: 'REDIS_HOT_KEY',
    shows: (sink) => answers(sink, 'coupon-service', 503),
    log: /hot key coupon:SPRING-SALE: lock/,
    wrong: ['coupon-service', restart],
  },
  {
    id: 'ORDER_429_RATE_LIMIT',
    shows: (sink) => answers(sink, 'order-service', 429) && answers(sink, 'payment-service', 429),
    log: /rate limit exceeded: \d+ requests\/s of client web against 25 allowed/,
    wrong: ['order-service', restart],
  },
  {
    id: 'SLOW_DATABASE',
    shows: (sink) => answers(sink, 'order-service', 503),
    log: /slow query: \d+ ms on primary: INSERT INTO orders/,
    wrong: ['order-service', restart],
  },
  {
    id: 'BAD_CONFIG',
    shows: (sink) => answers(sink, 'payment-service', 504) && !answers(sink, 'order-service', 504),
    log: /order-service did not answer within 20 ms/,
    wrong: ['order-service', restart],
  },
  {
    id: 'BAD_NODE',
    // The other replicas of the same services are well.
    shows: (sink) =>
      pressure(sink, 'payment-service', 'node-2') > 0.5 &&
      pressure(sink, 'order-service', 'node-2') > 0.5 &&
      pressure(sink, 'payment-service', 'node-1') === 0 &&
      pressure(sink, 'order-service', 'node-3') === 0,
    log: /order-service-0 stood still for \d+ ms: no processor time on node-2/,
    wrong: ['order-service', restart],
  },
  {
    id: 'VENDOR_OUTAGE',
    shows: (sink) => answers(sink, 'payment-service', 503) && !answers(sink, 'order-service', 503),
    log: /card-network answered 503 after \d+ ms/,
    wrong: ['payment-service', restart],
  },
];

async function walk(
  { demo, sink, until }: DemoUnderTest,
  { id, shows, log, wrong }: FaultCase,
): Promise<'well' | 'back again'> {
  const act = (name: string, edit: Edit): Promise<void> =>
    editRegistry(demo.registryFile, ({ services }) => services[name] && edit(services[name]));
  const fault = FAULTS.find((one) => one.id === id);
  const remedy = REMEDIES[fault?.operation ?? ''];
  if (!fault || (!remedy && fault.operation !== 'observe'))
    throw new Error(`no fault ${id}, or no remedy for it`);
  await until('all is well before', () => !shows(sink));
  sink.forgetLogs();
  await demo.inject(id);
  await until('it shows', () => shows(sink));
  await until('it is in the log', () => sink.hasLog(log));
  await act(...wrong);
  await sink.rounds(2);
  await until('it is still there after the wrong action', () => shows(sink));
  // What nobody here can end goes on until the world mends it.
  await (remedy ? act(fault.remedy.service, remedy) : demo.clear());
  await until('it ends', () => !shows(sink) && sink.rate('payment-service', 200) > 8);
  // A busy machine makes for a bad round; a fault that is back shows in every one.
  let shown = 0;
  for (let round = 0; round < ROUNDS_AFTER; round++) {
    await sink.rounds(1);
    if (shows(sink)) shown++;
  }
  await demo.clear();
  return shown === ROUNDS_AFTER ? 'back again' : 'well';
}

const ROUNDS_AFTER = 3;

/** Several at a time: most of each is waiting. */
const SYSTEMS = 3;
const WAIT_MS = 100_000;

describe.concurrent('each fault shows, withstands a wrong action, and ends with the right one', () => {
  const systems: DemoUnderTest[] = [];
  const free: DemoUnderTest[] = [];
  const lanes = createPool(
    () => free.pop() as DemoUnderTest,
    (system) => free.push(system),
    SYSTEMS,
  );
  beforeAll(async () => {
    systems.push(...(await Promise.all(Array.from({ length: SYSTEMS }, openDemo))));
    free.push(...systems);
  }, 60_000);
  afterAll(() => Promise.all(systems.map((system) => system.close())));

  it.each(CASES)(
    '$id',
    async (one) => {
      const lane = await lanes.acquire(WAIT_MS);
      try {
        expect(await walk(lane.connection, one)).toBe('well');
      } finally {
        lane.release();
      }
    },
    WAIT_MS,
  );

  it('has a remedy and words in both languages for every fault', () => {
    expect(FAULTS.map(({ id }) => id)).toEqual(expect.arrayContaining(CASES.map(({ id }) => id)));
    for (const { title } of FAULTS) expect(title.zh).toMatch(/\p{Script=Han}/u);
  });
});
