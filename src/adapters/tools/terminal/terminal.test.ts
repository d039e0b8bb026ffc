import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ToolContext, ToolResult } from '#spec/ports';
import { type TemporaryWorkspace, temporaryWorkspace } from '#testkit/files';
import { toolContext } from '#testkit/tool-context';
import { spawnedCommands } from '#testkit/tool-context';
import { tool } from './terminal.ts';

let workspace: TemporaryWorkspace;
let commands: ReturnType<typeof spawnedCommands>;
beforeEach(async () => {
  workspace = await temporaryWorkspace();
  commands = spawnedCommands(workspace.root);
});
afterEach(async () => {
  await commands.close();
  await workspace.close();
});

const run = (input: Record<string, unknown>, more: Partial<ToolContext> = {}): Promise<ToolResult> =>
  tool.run(tool.input.parse(input), toolContext({ commands, ...more }));
const textOf = ({ content }: ToolResult) =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');

describe('terminal', () => {
  it('tells output, code and where the shell stands, and goes on from there', async () => {
    const first = await run({ command: 'mkdir deep && cd deep && echo one; echo two >&2' });
    expect(textOf(first)).toContain('one');
    expect(textOf(first)).toContain('two');
    expect(textOf(first)).toMatch(/\[exit code 0; \d+\.\d s; now in .*\/deep\]$/);
    expect(first.isError).toBeUndefined();
    expect(textOf(await run({ command: 'pwd' }))).toContain(`${workspace.root}/deep`);
  });

  it('shows full lines while they come, without secrets', async () => {
    const lines: string[] = [];
    await run(
      { command: "printf 'a\\nb\\n'; echo sk-abcdefghijklmnopqrst" },
      { update: (line) => lines.push(line) },
    );
    expect(lines.at(-1)).toBe('[secret:key]');
    expect(lines.join()).not.toContain('sk-abc');
  });

  it('gives a program its input', async () => {
    expect(textOf(await run({ command: 'read word; echo "got $word"', input: 'open' }))).toContain(
      'got open',
    );
  });

  it.each([
    ['exit 3', true, 'exit code 3', undefined],
    ['no-such-program', true, 'exit code 127', 'a program was not found'],
    ['touch f && ./f', true, 'exit code 126', 'may not be executed'],
    ['cat nowhere', true, 'exit code 1', 'a path does not exist'],
    ['echo "Read-only file system" >&2; false', true, 'exit code 1', 'only the working folder'],
    ['grep x /dev/null', undefined, 'exit code 1', undefined],
    ['grep x /dev/null; exit 1', true, 'exit code 1', undefined],
    ['true', undefined, '[no output]', undefined],
  ])('%s', async (command, isError, says, hint) => {
    const result = await run({ command });
    expect(result.isError).toBe(isError);
    expect(textOf(result)).toContain(says);
    if (hint) expect(textOf(result)).toContain(hint);
    else expect(textOf(result).split('\n')).toHaveLength(2);
  });

  it('stops what takes too long, and says what can be done', async () => {
    const result = await run({ command: 'echo begun; sleep 60', timeout_s: 1 });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('begun');
    expect(textOf(result)).toContain('stopped after 1 s');
    expect(textOf(result)).toContain('background: true');
  });

  it('leaves a command running', async () => {
    const result = await run({ command: 'read line; echo "heard $line"', background: true, input: 'hello' });
    expect(result.data).toEqual({ id: 'p1' });
    const ended = await commands.wait('p1', 10_000, AbortSignal.timeout(10_000));
    expect(ended?.end?.code).toBe(0);
    expect(commands.read('p1', 0)?.text).toContain('heard hello');
  });

  it('lets the gate see exactly what runs, and never runs beside another call', () => {
    const given = { command: 'sh -s', cwd: '/srv', backend: 'web-1', background: true, input: 'rm -r x' };
    const input = tool.input.parse(given);
    expect(tool.deed?.(input)).toEqual({
      command: { text: 'sh -s', cwd: '/srv', backend: 'web-1', background: true, input: 'rm -r x\n' },
    });
    expect(tool.effect(input)).toBe(0);
    expect(tool.footprint?.(input)).toBeUndefined();
    expect(tool.input.safeParse({ command: 'x', timeout_s: 601 }).success).toBe(false);
    expect(tool.input.safeParse({ command: 'x', env: {} }).success).toBe(false);
  });
});
