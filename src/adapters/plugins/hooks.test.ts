import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { HookEvent } from '#spec/ports';
import { type Hook, hookRunner, type HookTrouble } from './hooks.ts';
import { shellHook } from './shell-hook.ts';

const cwd = mkdtempSync(join(tmpdir(), 'hermes-hooks-'));
afterAll(() => rmSync(cwd, { recursive: true }));

const calm = new AbortController().signal;
const PAYLOAD = { session: 's1', call: 'c1', tool: 'terminal', input: { command: 'ls' } };
const AFTER = { ...PAYLOAD, text: 'a.txt', isError: false };

const hook = (event: HookEvent, run: Hook['run'], timeoutMs = 5_000): Hook => ({
  plugin: 'p',
  label: 'h',
  event,
  timeoutMs,
  run,
});
const shell = (event: HookEvent, command: string, timeoutMs = 5_000): Hook =>
  hook(
    event,
    (told, signal) => shellHook(command, told, { cwd, path: process.env.PATH ?? '', signal }),
    timeoutMs,
  );

function runner(...hooks: readonly Hook[]) {
  const troubles: HookTrouble[] = [];
  return { run: hookRunner(hooks, (trouble) => troubles.push(trouble)), troubles };
}

describe('hooks', () => {
  it('are told the event and its payload', async () => {
    const { run, troubles } = runner(shell('tool.before', 'cat > told.json'));
    expect(await run('tool.before', PAYLOAD, calm)).toEqual({ payload: PAYLOAD });
    expect(JSON.parse(readFileSync(join(cwd, 'told.json'), 'utf8'))).toEqual({
      event: 'tool.before',
      payload: PAYLOAD,
    });
    expect(troubles).toEqual([]);
  });

  it('see nothing of the environment but where programs are', async () => {
    process.env.HERMES_TEST_SECRET = 'hunter2';
    const { run } = runner(shell('tool.after', `printf '{"replace": "%s"}' "$(env | grep -c HERMES)"`));
    expect((await run('tool.after', AFTER, calm)).payload.text).toBe('0');
    delete process.env.HERMES_TEST_SECRET;
  });

  it('veto, and the first veto counts', async () => {
    const later: unknown[] = [];
    const { run } = runner(
      shell('tool.before', `echo '{"veto": "not on Fridays"}'`),
      hook('tool.before', async (told) => later.push(told)),
    );
    const outcome = await run('tool.before', PAYLOAD, calm);
    expect(outcome).toEqual({ veto: { plugin: 'p', reason: 'not on Fridays' }, payload: PAYLOAD });
    expect(later).toEqual([]);
  });

  it('replace what the event lets them, one after the other, and change nothing else', async () => {
    const { run, troubles } = runner(
      hook('tool.before', async ({ payload }) => {
        Object.assign(payload as object, { tool: 'other', input: { command: 'changed in place' } });
        return undefined;
      }),
      hook('tool.before', async () => ({ replace: { command: 'ls -l' } })),
      hook('tool.before', async ({ payload }) => {
        const { command } = (payload as typeof PAYLOAD).input;
        return { replace: { command: `${command} -a` } };
      }),
    );
    const { payload } = await run('tool.before', PAYLOAD, calm);
    expect(payload).toEqual({ ...PAYLOAD, input: { command: 'ls -l -a' } });
    expect(PAYLOAD.input.command).toBe('ls');
    expect(troubles).toEqual([]);
  });

  it.each([
    ['an answer that allows', hook('tool.before', async () => ({ allow: true })), /neither/],
    ['a veto of what has happened', hook('tool.after', async () => ({ veto: 'late' })), /cannot be vetoed/],
    [
      'a replacement where there is none',
      hook('model.before', async () => ({ replace: 'x' })),
      /nothing that could/,
    ],
    ['a replacement that is no text', hook('tool.after', async () => ({ replace: {} })), /has to be a text/],
    ['a veto without a reason', hook('tool.before', async () => ({ veto: ' ' })), /neither/],
    ['both at once', hook('tool.before', async () => ({ veto: 'x', replace: 1 })), /neither/],
    ['a throw', hook('tool.before', async () => Promise.reject(new Error('oh'))), /oh/],
    ['silence', hook('tool.before', () => new Promise(() => undefined), 50), /within 0\.05 s/],
    ['words', shell('tool.before', 'echo fine by me'), /no JSON: fine by me/],
    ['an exit code', shell('tool.before', 'echo sorry >&2; exit 4'), /code 4: sorry/],
    ['too many words', shell('tool.before', 'yes | head -c 2000000'), /1 MB/],
    ['a program that is not there', shell('tool.before', 'no-such-program'), /code 127/],
  ])('leave out %s, and name it', async (_, bad, message) => {
    const good = hook(bad.event, async () => undefined);
    const { run, troubles } = runner(bad, good);
    const payload = { ...AFTER, model: 'm' };
    expect(await run(bad.event, payload, calm)).toEqual({ payload });
    expect(troubles).toHaveLength(1);
    expect(troubles[0]).toMatchObject({ plugin: 'p', hook: 'h', event: bad.event, off: false });
    expect(troubles[0]?.message).toMatch(message);
  });

  it('name a failure once, and switch off after three in a row', async () => {
    let calls = 0;
    const { run, troubles } = runner(
      hook('tool.before', async () => {
        calls++;
        if (calls !== 3) throw new Error(`number ${calls}`);
        return undefined;
      }),
    );
    for (let at = 0; at < 9; at++) await run('tool.before', PAYLOAD, calm);
    expect(calls).toBe(6);
    expect(troubles.map(({ message, off }) => [message, off])).toEqual([
      ['number 1', false],
      ['number 4', false],
      ['number 6', true],
    ]);
  });

  it('are ended with everything that they started', async () => {
    const { run, troubles } = runner(shell('tool.before', 'sleep 60 & echo $! > pid; wait', 300));
    await run('tool.before', PAYLOAD, calm);
    expect(troubles[0]?.message).toMatch(/within 0\.3 s/);
    const pid = Number(readFileSync(join(cwd, 'pid'), 'utf8'));
    expect(pid).toBeGreaterThan(0);
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it('are not blamed for a turn that was interrupted', async () => {
    const interrupt = new AbortController();
    const { run, troubles } = runner(hook('tool.before', () => new Promise(() => interrupt.abort())));
    expect(await run('tool.before', PAYLOAD, interrupt.signal)).toEqual({ payload: PAYLOAD });
    expect(troubles).toEqual([]);
  });

  it('keeps from happening what a required hook could not look at, and never gives it up', async () => {
    const told: HookTrouble[] = [];
    const required: Hook = {
      ...hook('tool.before', () => Promise.reject(new Error('down'))),
      required: true,
    };
    const run = hookRunner([required], (trouble) => told.push(trouble));
    for (let i = 0; i < 5; i++) {
      const { veto } = await run('tool.before', PAYLOAD, calm);
      expect(veto).toMatchObject({ reason: 'a hook that has to look at it failed' });
    }
    expect(told.map(({ off }) => off)).toEqual([false]);
  });
});

/** A process that has ended and was not waited for yet counts as ended. */
function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
