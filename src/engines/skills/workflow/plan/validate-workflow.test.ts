import { z } from 'zod';
import { describe, expect, it } from 'vitest';
import { defineTool, type EffectLevel, type Tool } from '#spec/ports';
import { parseWorkflow } from '../file/parse-workflow.ts';
import { batches } from './batches.ts';
import { explainWorkflow } from './explain-workflow.ts';
import { loadReaders } from './load-readers.ts';
import { validateWorkflow } from './validate-workflow.ts';

const tool = (name: string, level: EffectLevel, more: Partial<Tool> = {}): Tool =>
  defineTool({
    name,
    toolset: 'actions',
    description: name,
    input: z.record(z.string(), z.unknown()),
    effect: () => level,
    run: () => Promise.reject(new Error('nothing runs here')),
    ...more,
  });
const terminal = tool('terminal', 0, {
  deed: (input) => ({ command: { text: String((input as { command: unknown }).command) } }),
});
const known = new Map(
  [tool('git_diff', 0), tool('review_code', 0), tool('deploy', 3), terminal].map((one) => [one.name, one]),
);
const tools = { names: [...known.keys()], find: (name: string) => known.get(name) };

const file = (steps: string, rest = '') =>
  `skill:\n  name: sample\n  execution:\n    steps:\n${steps}\n${rest}`;
const validate = async (text: string) => {
  const { problems } = await validateWorkflow(text, 'x.yaml', tools);
  return problems.map(({ line, problem, fix }) => [line, problem, fix]);
};
const read = (text: string) => {
  const parsed = parseWorkflow(text, 'x.yaml');
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems));
  return parsed.workflow;
};

describe('validateWorkflow', () => {
  it('finds actions that are not there', async () => {
    expect(
      await validate(file('      - {name: a, action: git_dif}\n      - {action: something_else}')),
    ).toEqual([
      [5, "step 1 'a': there is no action 'git_dif'", "Did you mean 'git_diff'?"],
      [
        6,
        "step 2 'something_else': there is no action 'something_else'",
        expect.stringContaining('hermes tools'),
      ],
    ]);
  });

  it('finds names that nothing makes, or makes too late', async () => {
    const text = file(
      `      - {name: a, action: git_diff, output_key: diff, args: {x: "\${later.y}"}}
      - {name: b, action: git_diff, output_key: later, args: {x: "\${dif.files}", y: "\${later}"}}
      - {name: c, action: git_diff, condition: "\${nothing} > 1"}`,
      '  output: {template: "{{diff.a}} {{unmade.b}}", on_success: {notify: {platform: all, message: "${gone}"}}}',
    );
    expect(await validate(text)).toEqual([
      [5, "step 1 'a' names 'later.y', which step 2 'b' makes only afterwards", "Move step 2 'b' before it"],
      [6, "step 2 'b' names 'dif.files', and no earlier step makes 'dif'", "Did you mean 'diff'?"],
      [6, "step 2 'b' names its own output 'later'", 'Name the output of an earlier step'],
      [7, "step 3 'c' names 'nothing', and no earlier step makes 'nothing'", expect.any(String)],
      [8, "output.template: nothing makes 'unmade.b'", expect.any(String)],
      [8, "notify.message: nothing makes 'gone'", expect.any(String)],
    ]);
  });

  it('finds steps that wait for each other', async () => {
    const text = file(`      - {name: a, action: git_diff, output_key: x, args: {v: "\${y}"}}
      - {name: b, action: git_diff, output_key: y, args: {v: "\${x}"}}`);
    expect((await validate(text)).map(([, problem]) => problem)).toContain(
      "These steps wait for each other: step 1 'a', step 2 'b'",
    );
  });

  it.each(['"${a b}"', '"{{#each x}}"', '"{{> p}}"'])(
    'finds templates that cannot be read: %s',
    async (text) => {
      const [first] = await validate(file(`      - {name: a, action: git_diff, args: {v: ${text}}}`));
      expect(first).toEqual([5, expect.stringContaining("step 1 'a': "), expect.any(String)]);
    },
  );

  it('takes what is filled in and nothing makes for an argument, unless arguments are declared', async () => {
    const steps = '      - {action: git_diff, args: {v: "{{project}} {{hour}} ${memory.x} {{skill.name}}"}}';
    expect(await validate(file(steps))).toEqual([]);
    expect((await validate(file(steps, '  arguments: {port: 1}')))[0]?.[1]).toContain(
      "no earlier step makes 'project'",
    );
  });
});

describe('batches', () => {
  const order = async (text: string) =>
    batches(read(text), await loadReaders()).map((batch) => batch.map(({ name }) => name).join('+'));

  it('draw the members of a group together as far as nothing else is needed', async () => {
    const text = file(
      `      - {name: a, action: git_diff, output_key: x}
      - {name: b, action: review_code, output_key: y}
      - {name: c, action: git_diff, args: {v: "\${y}"}}
      - {name: d, action: git_diff}`,
      '    parallel_steps: [[a, c, d], [b, nothing]]',
    );
    expect(await order(text)).toEqual(['a+d', 'b', 'c']);
  });

  it('keep steps with the same output apart', async () => {
    const text = file(
      '      - {name: a, action: git_diff, output_key: x}\n      - {name: b, action: git_diff, output_key: x}',
      '    parallel_steps: [[git_diff]]',
    );
    expect(await order(text)).toEqual(['a', 'b']);
  });
});

describe('explainWorkflow', () => {
  it('shows the plan, filled in as far as it is known', async () => {
    const text = file(
      `      - {name: look, action: git_diff, args: {target: "{{branch}}", style: "\${memory.style}"}, output_key: diff}
      - {name: build, command: "make {{branch}}", timeout: 5}
      - {name: ship, action: deploy, args: {what: "\${diff.files}"}, requires_confirmation: true, condition: "\${diff.files} != null"}`,
      '  output: {on_success: {store_memory: true, notify: {platform: slack, message: x}}}',
    );
    const plan = await explainWorkflow(
      read(text),
      { branch: 'a b' },
      {
        tools,
        memory: async () => 'tabs',
        missing: ({ name }) => (name === 'deploy' ? { what: 'no key', fix: 'set it' } : undefined),
      },
    );
    expect(plan).toMatchObject({
      arguments: [{ name: 'branch', value: 'a b', from: 'given' }],
      memory: [{ key: 'style', known: true }],
      notifies: ['slack'],
      storesMemory: true,
      problems: [],
      steps: [
        { input: '{"target":"a b","style":"tabs"}', complete: true, level: 0, asks: [], batch: 1 },
        { input: "make 'a b'", level: 2, asks: ['gate'], timeoutMs: 5_000 },
        {
          input: '{"what":"${diff.files}"}',
          complete: false,
          asks: ['confirmation', 'gate'],
          needs: ['diff'],
          missing: { what: 'no key' },
        },
      ],
    });
  });

  it('says what was not given, and what is wrong', async () => {
    const text = file('      - {action: nothing, args: {v: "{{branch}}"}}');
    const plan = await explainWorkflow(read(text), {}, { tools });
    expect(plan.arguments).toEqual([{ name: 'branch', from: 'missing' }]);
    expect(plan.problems).toMatchObject([{ problem: "step 1 'nothing': there is no action 'nothing'" }]);
  });
});
