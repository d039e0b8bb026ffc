import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from 'vitest';
import { openLedger } from '#adapters/store';
import { DEFAULT_POLICY, type Gate, type Judge, openGate } from '#engines/gate';

const folder = mkdtempSync(join(tmpdir(), 'hermes-gate-'));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

const ROOT = join(import.meta.dirname, '..', '..');
const BOB = { channel: 'slack', user: 'bob' } as const;

/** Wants to run a command. With `ask`, somebody can be asked; prints the id of the request, and what came of it. */
const CALLER = `
  import { z } from 'zod';
  import { openLedger } from '#adapters/store';
  import { DEFAULT_POLICY, openGate } from '#engines/gate';
  const [path, command, way] = process.argv.slice(-3);
  const { approvals, audit, taints } = await openLedger(path);
  const judge = (text) => ({
    verdict: 'ask', level: 2, reasons: [{ en: 'It is judged.', zh: 'It is judged.' }], commands: [text.split(' ')], outward: false, readsPrivate: false,
  });
  const gate = openGate({ approvals, audit, taints, judge, policy: DEFAULT_POLICY, pollMs: 20 });
  const tool = {
    name: 'terminal', toolset: 'terminal', description: '', input: z.unknown(),
    effect: () => 0, deed: (text) => ({ command: { text } }), run: async () => ({ content: [], summary: '' }),
  };
  const requester = { caller: 'gateway', platform: 'slack', profile: 'default', session: 's1', user: 'ann' };
  const place = () => ({ backend: 'local', cwd: '/w', isolation: 'process', network: false });
  const show = async ({ id }) => void console.log('asked ' + id);
  const request = { tool, input: command, call: 'c1', requester, place };
  const permit = await gate.permit(request, way === 'ask' ? { show } : undefined, new AbortController().signal);
  console.log(permit.allowed ? 'allowed' : 'denied');
  process.exit(0);
`;

function call(path: string, command: string, way: 'ask' | 'alone') {
  const args = ['--input-type=module', '-e', CALLER, path, command, way];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const ended = once(child, 'close').then(() => lines.at(-1));
  const asked = async () => {
    await expect.poll(() => lines[0], { timeout: 15_000, interval: 10 }).toMatch(/^asked /);
    return lines[0]?.slice('asked '.length) ?? '';
  };
  return { child, ended, asked };
}

const neverJudged: Judge = () => {
  throw new Error('nothing is judged here');
};

async function withGate<T>(path: string, work: (gate: Gate) => Promise<T>): Promise<T> {
  const { approvals, audit, taints, close } = await openLedger(path);
  const done = await work(openGate({ approvals, audit, taints, judge: neverJudged, policy: DEFAULT_POLICY }));
  expect(await audit.verify()).toMatchObject({ sound: true });
  await close();
  return done;
}

describe('a request for agreement', () => {
  it('survives the death of whoever asked, and is used once by whoever comes back', async () => {
    const path = join(folder, 'killed.db');
    const first = call(path, 'make deploy', 'ask');
    const id = await first.asked();
    first.child.kill('SIGKILL');
    await first.ended;
    await withGate(path, async (gate) => {
      expect(await gate.pending('s1')).toMatchObject([
        { id, action: { shown: expect.stringContaining('make deploy') as string } },
      ]);
      await gate.decide(id, { granted: true, by: BOB });
    });
    expect(await call(path, 'make destroy', 'alone').ended).toBe('denied');
    const again = [call(path, 'make deploy', 'alone'), call(path, 'make deploy', 'alone')];
    const ends = await Promise.all(again.map(({ ended }) => ended));
    expect(new Set(ends)).toEqual(new Set(['allowed', 'denied']));
  }, 60_000);

  it('is asked for anew only once, and answered while the second one waits', async () => {
    const path = join(folder, 'waits.db');
    const first = call(path, 'make deploy', 'ask');
    const id = await first.asked();
    first.child.kill('SIGKILL');
    await first.ended;
    const second = call(path, 'make deploy', 'ask');
    expect(await second.asked()).toBe(id);
    await withGate(path, (gate) => gate.decide(id, { granted: true, by: BOB }));
    expect(await second.ended).toBe('allowed');
  }, 60_000);

  it('takes one of two answers that come from two processes at once', async () => {
    const path = join(folder, 'both.db');
    const waiting = call(path, 'make deploy', 'ask');
    const id = await waiting.asked();
    const answers = await Promise.allSettled(
      [true, false].map((granted) => withGate(path, (gate) => gate.decide(id, { granted, by: BOB }))),
    );
    const won = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.state] : []));
    expect(won).toHaveLength(1);
    expect(await waiting.ended).toBe(won[0] === 'denied' ? 'denied' : 'allowed');
  }, 60_000);
});
