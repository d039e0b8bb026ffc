import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ToolResult } from '#spec/ports';
import { sleep } from '#kit/sleep';
import { type TemporaryWorkspace, temporaryWorkspace } from '#testkit/files';
import { spawnedCommands } from '#testkit/tool-context';
import { runScript } from './run-script.ts';

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

const { signal } = new AbortController();
const text = (said: string, more: Partial<ToolResult> = {}): ToolResult => ({
  content: [{ type: 'text', text: said }],
  summary: said,
  ...more,
});
const run = (code: string, ms: number, callTool: () => Promise<ToolResult> = async () => text('x')) =>
  runScript(
    { language: 'python', code },
    { ms, calls: 5, printed: 1_000 },
    { commands, signal, update: () => undefined, callTool },
  );

describe('runScript', () => {
  it('stops a script whose time is over, and keeps what it had printed', async () => {
    const ran = await run("print('begun', flush=True)\nwhile True: pass", 700);
    expect(ran).toMatchObject({ error: 'stopped: the script had 0.7 s', printed: 'begun\n' });
    expect(commands.list()[0]?.end).toBeDefined();
  });

  it('does not count the time of tools', async () => {
    const slow = async () => {
      await sleep(1_200, signal);
      return text('slept');
    };
    expect(await run('result = str(tools.slow())', 1_000, slow)).toMatchObject({
      result: '"slept"',
      calls: 1,
    });
  });

  it('tells when a script is killed from outside', async () => {
    const { error } = await run('import os, signal\nos.kill(os.getpid(), signal.SIGKILL)', 20_000);
    expect(error).toMatch(/the script ended early, (by SIGKILL|with exit code 137)/);
  });

  it('hands on no secrets, and no data that is too large', async () => {
    const secret = async () => text('x', { data: { key: 'sk-abcdefghijklmnopqrst', deep: [1] } });
    const ran = await run('result = tools.t().data', 20_000, secret);
    expect(JSON.parse(ran.result ?? '')).toEqual({ key: '[secret:key]', deep: [1] });
    const large = async () => text('x', { data: 'y'.repeat(300_000) });
    expect((await run('result = [tools.t().data]', 20_000, large)).result?.replaceAll(/\s/g, '')).toBe(
      '[null]',
    );
  });

  it('shadows of modules in the workspace do not break it, and can be imported', async () => {
    await workspace.put('json.py', 'raise RuntimeError("not the real one")');
    await workspace.put('mine.py', 'value = 7');
    expect((await run('import mine\nresult = mine.value', 20_000)).result).toBe('7');
  });
});
