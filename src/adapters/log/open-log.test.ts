import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fail } from '#kit/app-error';
import { redact } from '#kit/redact';
import type { LogRecord } from '#spec/data';
import { openLog } from './open-log.ts';

let home: string;
beforeEach(async () => (home = await mkdtemp(join(tmpdir(), 'open-log-'))));
afterEach(() => rm(home, { recursive: true }));

const folder = () => join(home, 'logs');
const cleaner = async () => redact;
const linesOf = async (name: string): Promise<LogRecord[]> =>
  (await readFile(join(folder(), name), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as LogRecord);

describe('openLog', () => {
  it('makes nothing before there is something to tell', async () => {
    const log = openLog({ folder: folder(), least: 'info', cleaner });
    log.debug('home.healed', {});
    await log.written();
    expect(await readdir(home)).toEqual([]);
  });

  it('writes what happened, how much it matters and what it belongs to, for this user alone', async () => {
    const log = openLog({ folder: folder(), least: 'info', cleaner, now: () => 0 });
    const mine = log.child({ incident: 'inc_01' }).child({ session: 'ses_01' });
    mine.info('stage.ended', { stage: 'rca', round: 2, ms: 30 });
    log.error('server.failed', { thrown: fail('input.conflict', 'the port is taken') });
    log.warn('part.failed', { part: 'memory', thrown: new TypeError('no such thing') });
    await log.written();
    const at = '1970-01-01T00:00:00.000Z';
    const { pid } = process;
    const [ended, failed, left] = await linesOf('hermes.log');
    const about = { incident: 'inc_01', session: 'ses_01' };
    expect(ended).toEqual({
      at,
      level: 'info',
      event: 'stage.ended',
      ...about,
      stage: 'rca',
      round: 2,
      ms: 30,
      pid,
    });
    expect(failed).toEqual({
      at,
      level: 'error',
      event: 'server.failed',
      code: 'input.conflict',
      error: 'the port is taken',
      pid,
    });
    // A mistake of ours is told with its place.
    expect(left).toMatchObject({
      level: 'warn',
      part: 'memory',
      code: 'internal',
      error: expect.stringContaining('open-log.test.ts') as unknown,
    });
    expect((await stat(join(folder(), 'hermes.log'))).mode & 0o777).toBe(0o600);
    expect((await stat(folder())).mode & 0o777).toBe(0o700);
  });

  it('keeps requests apart, so that a flood of them drives nothing out', async () => {
    const log = openLog({ folder: folder(), least: 'info', cleaner });
    const request = { requestId: 'req_1', method: 'GET', status: 200, ms: 1, bytes: 1, address: '::1' };
    log.info('request.served', request);
    log.info('server.started', { url: 'http://127.0.0.1:1' });
    await log.written();
    expect((await linesOf('server.log')).map(({ event }) => event)).toEqual(['request.served']);
    expect((await linesOf('hermes.log')).map(({ event }) => event)).toEqual(['server.started']);
  });

  it('hides secrets, also those that were told before they were known', async () => {
    const log = openLog({
      folder: folder(),
      least: 'info',
      cleaner: async () => (line) => redact(line, [{ name: 'VAULT', value: 'correct horse battery' }]),
    });
    log.warn('part.failed', { part: 'vault', error: 'said correct horse battery' });
    await log.written();
    log.warn('part.failed', { part: 'vault', thrown: new Error('sk-abcdefghijklmnop was refused') });
    const text = await readFile(join(folder(), 'hermes.log'), 'utf8');
    expect(text).not.toMatch(/correct horse|sk-abc/);
    expect(text).toContain('[secret:VAULT]');
    expect(await linesOf('hermes.log')).toHaveLength(2);
  });

  it('writes without the known secrets where they cannot be read, and says so', async () => {
    const log = openLog({
      folder: folder(),
      least: 'info',
      cleaner: () => Promise.reject(new Error('.env cannot be read')),
    });
    log.info('server.started', { url: 'http://sk-abcdefghijklmnop@127.0.0.1' });
    await log.written();
    const lines = await linesOf('hermes.log');
    expect(lines.map(({ event }) => event)).toEqual(['server.started', 'part.failed']);
    expect(JSON.stringify(lines)).not.toContain('sk-abc');
  });

  it('goes on where another process writes too: every line is there once, and whole', async () => {
    const script = join(home, 'writer.mjs');
    await writeFile(
      script,
      `import { rotatingFile } from ${JSON.stringify(join(import.meta.dirname, 'rotating-file.ts'))};
       const file = rotatingFile(process.argv[2], { mostBytes: 20_000, files: 50 });
       for (let n = 0; n < 500; n++) file.write(JSON.stringify({ who: process.argv[3], n }) + '\\n');`,
    );
    const path = join(folder(), 'hermes.log');
    const writers = ['a', 'b', 'c'].map((who) => fork(script, [path, who], { stdio: 'inherit' }));
    await Promise.all(writers.map((writer) => once(writer, 'exit')));
    const names = (await readdir(folder())).toSorted();
    expect(names).not.toContain('hermes.log.rotating');
    const texts = await Promise.all(names.map((name) => readFile(join(folder(), name), 'utf8')));
    const lines = texts
      .join('')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { who: string; n: number });
    expect(new Set(lines.map(({ who, n }) => `${who}${n}`)).size).toBe(1_500);
    expect(lines).toHaveLength(1_500);
  });
});
