import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from 'vitest';
import { sampleApproval } from '#testkit/gate';
import { openLedger } from './open-ledger.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-ledgers-'));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');

const OPEN = `
  import { openLedger } from '#adapters/store';
  const [path, name] = process.argv.slice(-2);
  const { approvals, audit } = await openLedger(path);
  const requester = { caller: 'chat', platform: 'cli', profile: 'default', session: 's1', user: name };
`;

/** Appends for ever, and prints each number once it was confirmed. */
const APPENDER = `${OPEN}
  for (;;) console.log((await audit.append('action.allowed', requester, { name })).seq);
`;

/** Says that it is ready, waits for a line, then decides and uses request after request; prints what it won. */
const DECIDER = `${OPEN}
  const by = { channel: 'test', user: name };
  console.log('ready');
  await new Promise((resolve) => process.stdin.once('data', resolve));
  for (let n = 0; n < 40; n++) {
    const decision = { granted: true, scope: { kind: 'once' }, by, at: 1500, expiresAt: 9000 };
    if (await approvals.decide('a' + n, decision)) console.log('decided ' + n);
    if (await approvals.use('a' + n, 'd1', 1600)) console.log('used ' + n);
  }
  process.exit(0);
`;

function start(script: string, path: string, name: string) {
  const args = ['--input-type=module', '-e', script, path, name];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const reached = async (count: number) => {
    await expect.poll(() => lines.length, { timeout: 15_000, interval: 10 }).toBeGreaterThanOrEqual(count);
  };
  return { child, lines, reached, ended: once(child, 'close') };
}

describe('several processes', () => {
  it('make one chain, and keep every confirmed line when they are killed', async () => {
    const path = join(folder, 'chain.db');
    for (let round = 0; round < 2; round++) {
      const writers = ['a', 'b', 'c'].map((name) => start(APPENDER, path, name));
      await Promise.all(writers.map(({ reached }) => reached(15)));
      for (const { child } of writers) child.kill('SIGKILL');
      await Promise.all(writers.map(({ ended }) => ended));
      const confirmed = writers.flatMap(({ lines }) => lines.map(Number));
      expect(new Set(confirmed).size).toBe(confirmed.length);
      const ledger = await openLedger(path);
      const found = await ledger.audit.verify();
      expect(found).toMatchObject({ sound: true });
      expect(found.sound && found.entries).toBeGreaterThanOrEqual(Math.max(...confirmed));
      await ledger.close();
    }
  }, 60_000);

  it('decide and use each request once between them', async () => {
    const path = join(folder, 'decide.db');
    const ledger = await openLedger(path);
    for (let n = 0; n < 40; n++) await ledger.approvals.add(sampleApproval(`a${n}`));
    const deciders = ['x', 'y', 'z'].map((name) => start(DECIDER, path, name));
    await Promise.all(deciders.map(({ reached }) => reached(1)));
    for (const { child } of deciders) child.stdin?.end('go\n');
    await Promise.all(deciders.map(({ ended }) => ended));
    const won = deciders.flatMap(({ lines }) => lines).filter((line) => line !== 'ready');
    const expected = Array.from({ length: 40 }, (_, n) => [`decided ${n}`, `used ${n}`]).flat();
    expect(won.toSorted()).toEqual(expected.toSorted());
    await ledger.close();
  }, 60_000);
});
