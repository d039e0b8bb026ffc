import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MARK_VARIABLE, markLine, newMark } from '#kit/command-mark';
import { comesFromCommand } from './comes-from-command.ts';
import { hasTerminal } from './has-terminal.ts';

/** A process that waits; its line of output says which one to look at. */
async function waiting(script: string, env: Record<string, string> = {}): Promise<number> {
  const child: ChildProcess = spawn('sh', ['-c', script], {
    env: { PATH: process.env['PATH'], ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const said = once(child.stdout ?? child, 'data') as Promise<[Buffer]>;
  const [line] = await said;
  const pid = Number(String(line).trim());
  onTestFinished(() => {
    for (const one of [pid, child.pid ?? pid]) if (process.kill(one, 0)) process.kill(one, 'SIGKILL');
  });
  return pid;
}

describe.skipIf(process.platform !== 'linux')('a process', () => {
  it('comes from a command by its mark, by its variable, and by those of whom it descends from', async () => {
    const marked = `${markLine(newMark())}; env -i sh -c 'echo $$; sleep 60; :'`;
    expect(comesFromCommand(await waiting(marked))).toBe(true);
    const variable = { [MARK_VARIABLE]: 'x' };
    expect(comesFromCommand(await waiting('echo $$; sleep 60; :', variable))).toBe(true);
    const below = "/usr/bin/env -i sh -c 'echo $$; sleep 60; :'; :";
    expect(comesFromCommand(await waiting(below, variable))).toBe(true);
  });

  it('that nobody marked does not, and has no terminal when it has left its session', async () => {
    const pid = await waiting('echo $$; sleep 60; :');
    expect(comesFromCommand(pid)).toBe(false);
    expect(hasTerminal(pid)).toBe(false);
  });

  it('that is gone does neither', () => {
    expect(comesFromCommand(2 ** 22 + 1)).toBe(false);
    expect(hasTerminal(2 ** 22 + 1)).toBe(false);
  });
});
