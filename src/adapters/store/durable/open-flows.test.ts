import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ErrorRecord } from '#spec/data';
import { describeDurableEngine } from '#testkit/durable';
import { defineFlow } from '#spec/ports';
import { type Flows, openFlows } from './open-flows.ts';

/** In memory where that can be had: processes are killed here, but no power fails, and each write waits for its disk. */
const MEMORY = '/dev/shm';
const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'hermes-flows-'));
afterAll(() => rmSync(folder, { recursive: true }));

let made = 0;
const newPath = () => join(folder, `${made++}.db`);

describeDurableEngine({
  name: 'SQLite',
  newPlace: newPath,
  open: openFlows,
  module: import.meta.resolve('./open-flows.ts'),
  exported: 'openFlows',
});

const flow = defineFlow({
  name: 'sample',
  version: 1,
  input: z.object({ service: z.string() }),
  run: async (context, { service }) => {
    const found = await context.step('look', { effect: 'pure' }, async () => ({ service }));
    await context.waitFor('go', { timeoutMs: 60_000 });
    return found;
  },
});

async function opened(
  path: string,
  test: (flows: Flows, problems: ErrorRecord[]) => Promise<void>,
): Promise<void> {
  const problems: ErrorRecord[] = [];
  const report = (problem: ErrorRecord) => problems.push(problem);
  const flows = await openFlows(path, { flows: [flow], report, leaseMs: 200, pollMs: 10, patienceMs: 50 });
  try {
    await test(flows, problems);
  } finally {
    await flows.close();
  }
}

/** Brings flow `f1` to its wait, and then changes the file behind the engine's back. */
async function spoilt(sql: string): Promise<string> {
  const path = newPath();
  await opened(path, async (flows) => {
    await flows.start(flow, 'f1', { service: 'payments' });
    await expect.poll(async () => (await flows.get('f1'))?.waitsFor).toEqual(['go']);
  });
  const file = new Database(path);
  file.exec(`${sql}; UPDATE flows SET state = 'waiting', wakes_at = 0, waits_for = '[]', output = NULL`);
  file.close();
  return path;
}

const soon = () => AbortSignal.timeout(5_000);

describe('openFlows', () => {
  it('keeps its files to the owner', async () => {
    const path = newPath();
    await opened(path, async (flows) => {
      await flows.start(flow, 'f1', { service: 'payments' });
      for (const file of [path, `${path}-wal`]) expect(statSync(file).mode & 0o777).toBe(0o600);
    });
  });

  it('refuses a file from a newer version, and one that is no database', async () => {
    const newer = newPath();
    const file = new Database(newer);
    file.exec('CREATE TABLE future (x); PRAGMA user_version = 999');
    file.close();
    const options = { flows: [flow], report: () => undefined };
    await expect(openFlows(newer, options)).rejects.toMatchObject({ record: { code: 'store.newer' } });
    const broken = newPath();
    writeFileSync(broken, 'x'.repeat(8_192));
    await expect(openFlows(broken, options)).rejects.toMatchObject({ record: { code: 'store.corrupt' } });
  });

  it.each([
    ['its input is no JSON', `UPDATE flows SET input = '{"service'`, /stored input of flow 'f1'/],
    ['its input does not fit', `UPDATE flows SET input = '{}'`, /stored input of flow 'f1'/],
    ['a result is no JSON', `UPDATE calls SET value = '{"serv'`, /result of step 'look' of flow 'f1'/],
  ])('fails a flow when %s', async (_, sql, message) => {
    await opened(await spoilt(sql), async (flows, problems) => {
      const record = await flows.ended('f1', soon());
      expect(record).toMatchObject({ state: 'failed', failure: { reason: 'corrupt' } });
      expect(record?.failure?.error.message).toMatch(message);
      expect(problems).toEqual([]);
    });
  });

  it('reports a file that stays locked, and goes on when it is free', async () => {
    const path = newPath();
    await opened(path, async (flows, problems) => {
      await flows.start(flow, 'f1', { service: 'payments' });
      await expect.poll(async () => (await flows.get('f1'))?.waitsFor).toEqual(['go']);
      const other = new Database(path);
      other.exec(`UPDATE flows SET wakes_at = 0; BEGIN IMMEDIATE`);
      await expect.poll(() => problems.map(({ code }) => code)).toContain('store.busy');
      other.exec('COMMIT');
      other.close();
      await flows.signal('f1', 'go', null, 'k1');
      expect(await flows.ended('f1', soon())).toMatchObject({
        state: 'done',
        output: { service: 'payments' },
      });
    });
  });

  it('goes on with a flow whose journal could not be written for a while', async () => {
    const path = newPath();
    let other: Database.Database | undefined;
    let runs = 0;
    const locked = defineFlow({
      name: 'locked',
      version: 1,
      input: z.null(),
      run: (context) =>
        context.step('lock', { effect: 'pure' }, async () => {
          runs++;
          if (runs > 1) return runs;
          other = new Database(path);
          other.exec('BEGIN IMMEDIATE');
          return runs;
        }),
    });
    const problems: string[] = [];
    const report = ({ code }: ErrorRecord) => problems.push(code);
    const flows = await openFlows(path, {
      flows: [locked],
      report,
      leaseMs: 200,
      pollMs: 10,
      patienceMs: 50,
    });
    await flows.start(locked, 'l1', null);
    await expect.poll(() => problems).toContain('store.busy');
    other?.exec('COMMIT');
    other?.close();
    expect(await flows.ended('l1', soon())).toMatchObject({ state: 'done', output: 2 });
    await flows.close();
  });

  it('forgets flows that ended long ago', async () => {
    const path = newPath();
    await opened(path, async (flows) => {
      await flows.start(flow, 'f1', { service: 'payments' });
      await flows.signal('f1', 'go', null, 'k1');
      const ended = await flows.ended('f1', soon());
      await flows.start(flow, 'f2', { service: 'payments' });
      expect(await flows.prune((ended?.updatedAt ?? 0) - 1)).toBe(0);
      expect(await flows.prune(Date.now() + 1)).toBe(1);
      expect((await flows.list({ limit: 10 })).map(({ id }) => id)).toEqual(['f2']);
    });
    const file = new Database(path);
    expect(file.prepare(`SELECT count(*) FROM calls WHERE flow = 'f1'`).pluck().get()).toBe(0);
    expect(file.prepare('SELECT count(*) FROM signals').pluck().get()).toBe(0);
    file.close();
  });
});
