import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ToolResult } from '#spec/ports';
import { type TemporaryWorkspace, temporaryWorkspace } from '#testkit/files';
import { toolContext } from '#testkit/tool-context';
import { spawnedCommands } from '#testkit/tool-context';
import { tool } from './process.ts';

let workspace: TemporaryWorkspace;
let commands: ReturnType<typeof spawnedCommands>;
let held: Map<string, unknown>;
beforeEach(async () => {
  workspace = await temporaryWorkspace();
  commands = spawnedCommands(workspace.root);
  held = new Map();
});
afterEach(async () => {
  await commands.close();
  await workspace.close();
});

async function hold<T>(name: string, open: () => Promise<T>): Promise<T> {
  if (!held.has(name)) held.set(name, await open());
  return held.get(name) as T;
}

const run = (input: Record<string, unknown>): Promise<ToolResult> =>
  tool.run(tool.input.parse(input), toolContext({ commands, hold }));
const textOf = ({ content }: ToolResult) =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');
const echo = () =>
  commands.startBackground({
    command: 'while read line; do echo "heard $line"; done; echo over',
    input: 'open',
  });
async function printed(id: string, text: string): Promise<void> {
  await expect.poll(() => commands.read(id, 0)?.text).toContain(text);
}

describe('process', () => {
  it('lists what runs', async () => {
    expect(textOf(await run({ action: 'list' }))).toBe('Nothing runs in the background.');
    await echo();
    expect(textOf(await run({ action: 'list' }))).toMatch(/^p1 {2}running since \S+ {2}while read line/);
  });

  it('writes, tells what is new once, and the whole in the log', async () => {
    const { id } = await echo();
    expect(textOf(await run({ action: 'poll', id }))).toContain('[nothing new]');
    await run({ action: 'write', id, text: 'one' });
    await printed(id, 'heard one');
    expect(textOf(await run({ action: 'poll', id }))).toContain('heard one');
    await run({ action: 'write', id, text: 'two\n' });
    await printed(id, 'heard two');
    const second = textOf(await run({ action: 'poll', id }));
    expect(second).toContain('heard two');
    expect(second).not.toContain('heard one');
    const log = textOf(await run({ action: 'log', id, lines: 1 }));
    expect(log).toContain('[the last 1 of 2 lines]\nheard two');
  });

  it('closes the input and waits for the end', async () => {
    const { id } = await echo();
    await run({ action: 'close', id });
    const result = await run({ action: 'wait', id, timeout_s: 20 });
    expect(textOf(result)).toContain('over\n[p1: exit code 0]');
    expect(result.data).toEqual({ id: 'p1', running: false, code: 0 });
    expect(await run({ action: 'write', id, text: 'x' })).toMatchObject({ isError: true });
  });

  it('waits no longer than it is told, and kills', async () => {
    const { id } = await commands.startBackground({ command: 'sleep 60' });
    expect(textOf(await run({ action: 'wait', id, timeout_s: 1 }))).toContain('running since');
    expect(textOf(await run({ action: 'kill', id }))).toContain('ended by SIGKILL');
    expect(commands.list()[0]?.end).toBeDefined();
  });

  it('names what there is when an id is wrong or missing', async () => {
    await echo();
    expect(await run({ action: 'poll', id: 'p9' })).toMatchObject({
      isError: true,
      summary: 'There is no process p9. There are: p1.',
    });
    expect(await run({ action: 'kill' })).toMatchObject({
      isError: true,
      summary: '`kill` needs `id`. There are: p1.',
    });
    expect(await run({ action: 'write', id: 'p1' })).toMatchObject({ isError: true });
  });

  it('tells the gate what it writes', () => {
    const level = (action: string) => tool.effect({ action });
    expect(['list', 'poll', 'log', 'wait', 'kill', 'close', 'write'].map(level)).toEqual([
      0, 0, 0, 0, 1, 1, 2,
    ]);
    expect(tool.deed?.({ action: 'write', id: 'p1', text: 'rm -rf /' })).toEqual({
      feeds: { process: 'p1', text: 'rm -rf /\n' },
    });
    expect(tool.deed?.({ action: 'close', id: 'p1' })).toEqual({});
  });
});
