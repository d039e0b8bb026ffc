import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { heldFlow, incidentFlow, type SampleWorld } from './sample-flows.ts';
import { clearStage, LEASE_MS, onStage, type Stage } from './stage.ts';
import type { DurableUnderTest } from './under-test.ts';

const flowsOf = (world: SampleWorld) => [incidentFlow(world), heldFlow(world)] as const;

/** Real processes that are killed, stopped, and in each other's way. */
export function describeDurableCrashes(subject: DurableUnderTest): void {
  const on = (test: (stage: Stage) => Promise<void>) => onStage(subject, test);

  /** Lets a child be killed at one place, goes on in this process, and checks what happened in the world. */
  async function killAt(stage: Stage, place: number): Promise<boolean> {
    const child = stage.child({ killAt: place, incidents: ['i1'] });
    const end = await child.ended;
    expect(child.complaints).toEqual([]);
    const { world } = stage;
    const before = world.log.lines();
    const [incident] = flowsOf(world);
    const engine = await stage.open([incident]);
    await engine.start(incident, 'i1', { service: 'payments' });
    await engine.signal('i1', 'decision', { approval: 'a1' }, 'a1');
    const record = await stage.end(engine, 'i1');
    const lines = world.log.lines();
    const where = `killed at ${place}: ${JSON.stringify(lines)}`;

    expect(record.state, where).toBe('done');
    const output = record.output as { executed: string; happened: boolean; decision: unknown };
    const executed = lines.filter(({ what }) => what === 'execute').length;
    expect(executed, where).toBe(output.happened ? 1 : 0);
    if (output.executed === 'done') expect(executed, where).toBe(1);
    else
      expect(
        before.some(({ what }) => what === 'passed execute'),
        where,
      ).toBe(false);
    expect(output.decision, where).toEqual({ approval: 'a1' });
    for (const step of ['metrics', 'logs', 'ticket', 'execute']) {
      const keys = new Set(lines.filter(({ what }) => what === step).map(({ key }) => key));
      expect(keys.size, where).toBe(step === 'execute' ? executed : 1);
      const passed = lines.findIndex(({ what }) => what === `passed ${step}`);
      expect(
        lines.slice(passed).some(({ what }) => what === step),
        where,
      ).toBe(false);
    }
    return end === 'SIGKILL';
  }

  describe(`${subject.name}: crashes`, () => {
    afterAll(clearStage);

    it('end well wherever the process is killed', async () => {
      // The first one is not killed at all.
      await onStage(subject, async (stage) => expect(await killAt(stage, 0)).toBe(false))();
      let place = 1;
      let unharmed = Number.POSITIVE_INFINITY;
      const outcomes: boolean[] = [];
      const worker = async () => {
        while (place < unharmed) {
          const at = place++;
          await onStage(subject, async (stage) => {
            outcomes[at] = await killAt(stage, at);
            if (!outcomes[at]) unharmed = Math.min(unharmed, at);
          })();
        }
      };
      await Promise.all([worker(), worker(), worker()]);
      expect(outcomes.filter(Boolean).length).toBeGreaterThan(30);
    }, 60_000);

    it.each(['once', 'keyed'] as const)(
      'let nobody write who was stopped and has been replaced (%s)',
      (how) =>
        on(async (stage) => {
          const { world, until, open, end } = stage;
          const child = stage.child({ leaseMs: 300, held: { id: 'h1', how } });
          await until('runs', () => world.log.lines().length === 1);
          child.process.kill('SIGSTOP');
          const [, held] = flowsOf({ ...world, goFile: '/' });
          const engine = await open([held], { leaseMs: 300 });
          const record = await end(engine, 'h1');
          expect(record.state).toBe('done');
          expect(record.fence).toBeGreaterThan(1);
          writeFileSync(world.goFile, '');
          child.process.kill('SIGCONT');
          expect(await child.ended).toBe(0);
          expect(child.complaints).toEqual([]);
          const theirs = world.log.lines().filter(({ pid }) => pid === child.process.pid);
          expect(theirs.map(({ what }) => what)).toEqual(['begun', 'not mine']);
          expect(await engine.get('h1')).toEqual(record);
          expect(JSON.parse(child.printed[0] ?? '')).toEqual(record);
          const ours = world.log.lines().filter(({ pid }) => pid === process.pid);
          if (how === 'once') {
            expect(record.output).toMatchObject({
              status: 'uncertain',
              because: 'lost',
              key: theirs[0]?.key,
            });
            expect(ours).toEqual([]);
          } else {
            expect(record.output).toEqual({ status: 'done', value: record.fence });
            expect(ours.map(({ what, key }) => [what, key])).toEqual([
              ['begun', theirs[0]?.key],
              ['still mine', theirs[0]?.key],
            ]);
          }
        })(),
    );

    it(
      'share the work among three processes, each thing done once',
      on(async ({ child, world }) => {
        const incidents = Array.from({ length: 25 }, (_, at) => `r${at}`);
        const children = [1, 2, 3].map(() => child({ incidents }));
        expect(await Promise.all(children.map(({ ended }) => ended))).toEqual([0, 0, 0]);
        expect(children.flatMap(({ complaints }) => complaints)).toEqual([]);
        for (const { printed } of children) {
          const records = printed.map(
            (line) => JSON.parse(line) as { state: string; output: { executed: string } },
          );
          expect(records.map(({ state, output }) => `${state} ${output.executed}`)).toEqual(
            incidents.map(() => 'done done'),
          );
        }
        const effects = world.log.lines().filter(({ what }) => !what.startsWith('passed'));
        expect(effects).toHaveLength(incidents.length * 4);
        expect(new Set(effects.map(({ what, flow }) => `${what} ${flow}`)).size).toBe(incidents.length * 4);
      }),
      30_000,
    );

    it(
      'give up a flow that ends every process which runs it',
      on(async (stage) => {
        const { world, open, end } = stage;
        const [, held] = flowsOf(world);
        const front = await open([]);
        await front.start(held, 'h1', { how: 'keyed' });
        const first = world.log.lines().length;
        for (let round = 0; round < 3; round++) {
          const child = stage.child({ leaseMs: LEASE_MS, held: { id: 'h1', how: 'keyed' } });
          await stage.until('runs', () => world.log.lines().length === first + round + 1);
          child.process.kill('SIGKILL');
          await child.ended;
        }
        const engine = await open([held], { maxClaims: 2 });
        const { state, failure } = await end(engine, 'h1');
        expect([state, failure?.reason]).toEqual(['failed', 'stuck']);
        expect(world.log.lines()).toHaveLength(3);
      }),
    );
  });
}
