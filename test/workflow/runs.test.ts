import { afterEach, describe, expect, it } from 'vitest';
import { cancelWorkflow, workflowExperience, workflowRun } from '../../src/engines/skills/workflow/index.ts';
import { Failing, openStage, sampleTool, type SampleTool, type Stage, terminal } from './stage.ts';

let stage: Stage;
afterEach(() => stage.close());

const skill = (body: string): string => `skill:\n  name: sample\n${body.replaceAll(/^/gm, '  ')}`;
const steps = (body: string, rest = ''): string =>
  skill(`execution:\n  steps:\n${body.replaceAll(/^/gm, '    ')}\n${rest}`);
const echo = sampleTool('echo', 0, ({ value }) => value);
const states = (run: { steps: readonly { state: string }[] }) => run.steps.map(({ state }) => state);

describe('what comes from outside', () => {
  it('stays one word in a command, and is not read as a template', async () => {
    const evil = `; touch /tmp/never; echo '$(id)' "\`id\`" \${HOME} {{memory.secret}}`;
    stage = await openStage([echo, terminal]);
    stage.memory.set('secret', 'hunter2');
    const text = steps(`
- action: echo
  args: {value: "{{words}}"}
  output_key: said
- command: printf '%s\\n' {{said}} "{{said}}" '{{said}}'
  output_key: printed
- action: echo
  args: {value: "\${printed.output}"}
  output_key: again`);
    const { run } = await stage.run({ text, args: { words: evil } });
    expect(run.state).toBe('done');
    expect(run.result?.outputs.again).toBe([evil, evil, evil].join('\n'));
  });

  it('is refused where it cannot be quoted', async () => {
    stage = await openStage([echo, terminal]);
    const { run } = await stage.run({ text: steps('- command: echo "$(date {{x}})"'), args: { x: 'a' } });
    expect(run.result?.failure).toMatchObject({ kind: 'template_error' });
    expect(stage.calls).toEqual([]);
  });

  it('cannot lift a confirmation or the gate', async () => {
    const gated = sampleTool('deploy', 3, () => {
      throw new Failing('Not allowed: nobody agreed to it');
    });
    stage = await openStage([gated]);
    const { run } = await stage.run({ text: steps('- action: deploy\n  requires_confirmation: false') });
    expect(run.state).toBe('refused');
  });
});

describe('a dry run', () => {
  it('reads, shows what it would change, and stops at what depends on it', async () => {
    const change = sampleTool('change', 2, () => 'changed');
    stage = await openStage([echo, change]);
    const text = steps(
      `
- {name: look, action: echo, args: {value: 7}, output_key: seen}
- {name: change, action: change, args: {n: "\${seen}"}, output_key: done, requires_confirmation: true}
- {name: after, action: echo, args: {value: "\${done}"}, condition: "\${done} != null"}`,
      'output: {on_success: {store_memory: true, notify: {platform: all, message: hi}}}',
    );
    const { run } = await stage.run({ text, dryRun: true });
    expect(run.state).toBe('shown');
    expect(states(run)).toEqual(['done', 'shown', 'shown']);
    expect(run.steps[1]?.input).toBe('{"n":7}');
    expect(run.steps[2]?.summary).toBe('it depends on done');
    expect(stage.calls.map(({ name }) => name)).toEqual(['echo']);
    expect([stage.notices, [...stage.memory]]).toEqual([[], []]);
    expect(workflowExperience(run, 'person/cli/ann')).toBeUndefined();
  });
});

describe('failures', () => {
  const failing = (times: number, message = 'boom', level: 0 | 2 = 2): SampleTool =>
    sampleTool('flaky', level, (_, call) => {
      if (call <= times) throw new Failing(message);
      return 'well';
    });

  it('are tried again as often as the step says', async () => {
    stage = await openStage([failing(2)]);
    const { run } = await stage.run({ text: steps('- {action: flaky, on_failure: {retry: 2, delay: 0}}') });
    expect(run.state).toBe('done');
    expect(run.steps[0]).toMatchObject({ state: 'done', attempts: 3 });
    expect(workflowExperience(run, 'person/cli/ann')).toMatchObject({
      kind: 'workflow',
      success: true,
      calls: 3,
      skill: { name: 'sample', version: '1.0' },
      path: [{ tool: 'flaky', ok: true }],
      keyDecisions: [{ step: 0, why: 'it took 3 attempts' }],
    });
  });

  it('end the run when there are too many, and the steps after it do not run', async () => {
    stage = await openStage([failing(9), echo]);
    const text = steps(
      '- {action: flaky, on_failure: {retry: 1, delay: 0}}\n- {action: echo, args: {value: 1}}',
    );
    const { run } = await stage.run({ text });
    expect([run.state, states(run)]).toEqual(['failed', ['failed', 'pending']]);
    expect(stage.calls).toHaveLength(2);
    expect(workflowExperience(run, 'person/cli/ann')).toMatchObject({
      success: false,
      outcome: 'failed: boom',
    });
  });

  it('are mended by the steps of a handler', async () => {
    stage = await openStage([failing(1, 'bind: address already in use'), echo]);
    const text = steps(
      '- {action: flaky, output_key: first}\n- {action: echo, args: {value: "${first} on ${free}"}, output_key: last}',
      `error_handling:
  port_conflict:
    retry: true
    steps: [{action: echo, args: {value: "port for \${failure.step}"}, output_key: free}]`,
    );
    const { run } = await stage.run({ text });
    expect(run.state).toBe('done');
    expect(run.steps.map(({ id, state }) => [id, state])).toEqual([
      ['1', 'recovered'],
      ['1.port_conflict.1', 'done'],
      ['2', 'done'],
    ]);
    expect(run.result?.outputs.last).toBe('well on port for flaky');
  });

  it('go to the handler that the step names', async () => {
    stage = await openStage([failing(1), echo]);
    const text = steps(
      '- {action: flaky, on_failure: undo}',
      'error_handling: {undo: [{action: echo, args: {value: undone}}], failed: never this}',
    );
    const { run } = await stage.run({ text });
    expect(states(run)).toEqual(['recovered', 'done']);
  });

  it('of a name that leads nowhere say which', async () => {
    stage = await openStage([echo]);
    const text = steps(
      '- {action: echo, args: {value: {a: 1}}, output_key: x}\n- {action: echo, args: {value: "${x.b}"}}',
    );
    const { run } = await stage.run({ text });
    expect(run.result?.failure).toMatchObject({
      step: 'echo',
      kind: 'template_error',
      message: "'x' has no 'b'; it has a",
    });
  });

  it('of postconditions fail the run', async () => {
    stage = await openStage([echo], { check: async ({ type }) => ({ holds: type !== 'http_ok' }) });
    const text = steps(
      '- {action: echo, args: {value: 1}}',
      'postconditions: [{type: http_ok, url: "http://127.0.0.1/"}]',
    );
    const { run } = await stage.run({ text });
    expect(run.result).toMatchObject({ state: 'failed', failure: { kind: 'postcondition' } });
  });
});

describe('time', () => {
  const slow = (level: 0 | 2, obeys: boolean): SampleTool =>
    sampleTool('slow', level, (_, _call, signal) => {
      const { promise, resolve } = Promise.withResolvers<unknown>();
      if (obeys) signal.addEventListener('abort', () => resolve('stopped'));
      return promise;
    });

  it('of a step runs out', async () => {
    stage = await openStage([slow(0, true), echo]);
    const text = steps(
      '- {action: slow, timeout: 0.05, on_failure: continue}\n- {action: echo, args: {value: 1}}',
    );
    const { run } = await stage.run({ text });
    expect(states(run)).toEqual(['failed', 'done']);
    expect(run.steps[0]?.failure).toEqual({ kind: 'timeout', message: 'it took longer than 0.05 s' });
  });

  it('of the whole run runs out', async () => {
    stage = await openStage([slow(0, true), echo]);
    const text = skill(`execution:
  total_timeout: 0.1
  steps:
    - {action: slow, on_failure: continue}
    - {action: echo, args: {value: 1}}
error_handling: {timeout: 再试一次}`);
    const { run } = await stage.run({ text });
    expect(states(run)).toEqual(['failed', 'failed']);
    expect(run.result?.failure).toMatchObject({ kind: 'timeout', advice: '再试一次' });
  });

  it('leaves uncertain what changes something and does not stop', async () => {
    stage = await openStage([slow(2, false)]);
    const { run } = await stage.run({ text: steps('- {action: slow, timeout: 0.02, on_failure: retry}') });
    expect(run.state).toBe('uncertain');
    expect(stage.calls).toHaveLength(1);
  });
});

describe('a person', () => {
  it('may take longer than the step and the run have', async () => {
    const gated = sampleTool('gated', 2, () => 'ok');
    const late = <T>(value: T) => new Promise<T>((resolve) => setTimeout(() => resolve(value), 250));
    stage = await openStage([gated, echo], { confirm: () => late(true) });
    const call = stage.deps.callTool.bind(stage.deps);
    Object.assign(stage.deps, {
      callTool: async (...args: Parameters<typeof call>) => {
        if (args[0] === 'gated') await args[2].patiently(() => late(true));
        return call(...args);
      },
    });
    const text = skill(`execution:
  total_timeout: 0.2
  timeout_per_step: 0.1
  steps:
    - {action: gated, requires_confirmation: true}
    - {action: echo, args: {value: 1}}`);
    const { run } = await stage.run({ text });
    expect(states(run)).toEqual(['done', 'done']);
  });

  it('can cancel a run: nothing further is begun', async () => {
    const begun = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const held = sampleTool('held', 2, async () => {
      begun.resolve();
      await go.promise;
      return 1;
    });
    stage = await openStage([held, echo]);
    const text = steps('- {action: held}\n- {action: echo, args: {value: 1}}');
    const ended = stage.run({ text, id: 'c1' });
    await begun.promise;
    expect(await cancelWorkflow(stage.flows, 'c1')).toBe(true);
    go.resolve();
    const { run } = await ended;
    expect([run.state, states(run)]).toEqual(['cancelled', ['done', 'pending']]);
    expect(await cancelWorkflow(stage.flows, 'c1')).toBe(false);
  });
});

describe('parallel groups', () => {
  it('run side by side unless one needs the other', async () => {
    const together: string[] = [];
    const meet = Promise.withResolvers<void>();
    const gate = (name: string) =>
      sampleTool(name, 0, async () => {
        together.push(name);
        if (together.length === 2) meet.resolve();
        await meet.promise;
        return name;
      });
    stage = await openStage([gate('left'), gate('right'), echo]);
    const text = skill(`execution:
  parallel_steps: [[left, right, late]]
  steps:
    - {action: left, output_key: l}
    - {action: right, output_key: r}
    - {name: late, action: echo, args: {value: "\${l}\${r}"}, output_key: both}`);
    const { run } = await stage.run({ text });
    expect(run.result?.outputs.both).toBe('leftright');
  });
});

describe('results', () => {
  const counting = () => sampleTool('count', 0, (_, call) => call);
  const text = steps('- {action: count, output_key: n}', 'cache: {ttl_seconds: 60}');

  it('are given again for the same call of the same person, with their age', async () => {
    let now = Date.now();
    stage = await openStage([counting()], { now: () => now });
    await stage.run({ text, args: { a: 1, b: { c: 2, d: 3 } } });
    now += 5_000;
    const same = await stage.run({ text, args: { b: { d: 3, c: 2 }, a: 1 } });
    expect(same).toMatchObject({ ageMs: 5_000, run: { result: { outputs: { n: 1 } } } });
    expect((await stage.run({ text, args: { a: 2 } })).ageMs).toBeUndefined();
    expect((await stage.run({ text, args: { a: 1, b: { c: 2, d: 3 } }, fresh: true })).ageMs).toBeUndefined();
    const bob = { caller: 'chat', platform: 'cli', profile: 'default', session: 's2', user: 'bob' } as const;
    expect((await stage.run({ text, args: { a: 2 }, requester: bob })).ageMs).toBeUndefined();
    now += 61_000;
    expect((await stage.run({ text, args: { a: 2 } })).ageMs).toBeUndefined();
    expect(stage.calls).toHaveLength(5);
  });

  it('are not kept of what changed something, nor without a time', async () => {
    stage = await openStage([sampleTool('count', 2, (_, call) => call)]);
    await stage.run({ text });
    expect((await stage.run({ text })).ageMs).toBeUndefined();
    await stage.run({ text: steps('- {action: count, output_key: n}') });
    expect(stage.calls).toHaveLength(3);
  });

  it('of an earlier run are taken over when one goes on from a step', async () => {
    let broken = true;
    const fragile = sampleTool('fragile', 2, ({ value }) => {
      if (broken) throw new Failing('not yet');
      return value;
    });
    stage = await openStage([counting(), fragile]);
    const both = steps(
      '- {name: one, action: count, output_key: n}\n- {name: two, action: fragile, args: {value: "${n}"}, output_key: m}',
    );
    const first = await stage.run({ text: both });
    broken = false;
    const second = await stage.run({ text: both, from: { step: 'two', run: first.run.id } });
    expect([second.run.state, states(second.run)]).toEqual(['done', ['skipped', 'done']]);
    expect(second.run.result?.outputs).toEqual({ n: 1, m: 1 });
    await expect(stage.run({ text: both, from: { step: 'three', run: first.run.id } })).rejects.toThrow(
      /no step/,
    );
  });
});

describe('looking at a run', () => {
  it('shows how far it is, and how it went', async () => {
    const begun = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const held = sampleTool('held', 2, async () => {
      begun.resolve();
      await go.promise;
      return { token: 'sk-abcdefghijklmnop' };
    });
    stage = await openStage([echo, held]);
    const text = steps(
      '- {name: a, action: echo, args: {value: 1}}\n- {name: b, action: held}\n- {name: c, action: echo, args: {value: 2}}',
    );
    const ended = stage.run({ text, id: 'r1' });
    await begun.promise;
    const record = await stage.flows.get('r1');
    const looked = record && workflowRun(record);
    expect(looked?.state).toBe('running');
    expect(looked && states(looked)).toEqual(['done', 'running', 'pending']);
    expect(looked?.steps[0]).toMatchObject({ output: '1', attempts: 1 });
    go.resolve();
    const { run } = await ended;
    expect(run.steps[1]?.output).toBe('{"token":"[secret:key]"}');
    expect(stage.events.map(({ type }) => type)).toEqual([
      'started',
      'step.started',
      'step.ended',
      'step.started',
      'step.ended',
      'step.started',
      'step.ended',
      'finished',
    ]);
  });
});
