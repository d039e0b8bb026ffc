import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeIncidentHome, type IncidentHome } from '#testkit/incident-home';
import { followLog, lastLines } from '#host';

const MAIN = join(import.meta.dirname, '..', 'main.ts');
const CACHE = join(tmpdir(), 'incident-home-compile-cache');

const begin = (home: IncidentHome, ...args: string[]): ChildProcess =>
  spawn(process.execPath, [MAIN, ...args], {
    env: { ...home.env, NODE_COMPILE_CACHE: CACHE },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

async function hermes(home: IncidentHome, ...args: string[]): Promise<{ code: number | null; said: string }> {
  const child = begin(home, ...args);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += String(chunk)));
  await once(child, 'close');
  return { code: child.exitCode, said };
}

async function homeWithDaemon(): Promise<IncidentHome> {
  const home = await makeIncidentHome();
  onTestFinished(async () => {
    await hermes(home, 'stop');
    await home.remove();
  });
  return home;
}

const serverFile = async (home: IncidentHome) =>
  JSON.parse(await readFile(join(home.folder, 'server.json'), 'utf8')) as { pid: number; url: string };

describe('hermes serve --daemon', () => {
  it('stays, tells how it does, refuses a second one, and is stopped', async () => {
    const home = await homeWithDaemon();
    const before = await hermes(home, 'status');
    expect(before.code).toBe(3);
    expect(before.said).toMatch(
      /^Core: +not running\nModel: +not set up: .*\nTelemetry: +1 reached\nStores: +6 reached\n$/,
    );
    const started = await hermes(home, 'serve', '--daemon', '--port', '0');
    expect(started).toMatchObject({
      code: 0,
      said: expect.stringContaining('Serving on http://127.0.0.1:') as unknown,
    });
    const { pid, url } = await serverFile(home);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const status = await hermes(home, 'status');
    expect(status.code).toBe(0);
    expect(status.said).toMatch(new RegExp(`^Core: +running \\(pid ${pid}\\)\nServer: +${url}, up `));
    expect(status.said).toMatch(
      /Incidents: +0 open.*\nGateway: +alertmanager ✓.*\nCron: +no jobs\nModel: +not set up.*\nTelemetry: [^]*Stores: [^]*Memory: +0 entries\nSkills: +\d+ \(0 custom\)/,
    );
    for (const more of [[], ['--daemon']]) {
      const second = await hermes(home, 'serve', '--port', '0', ...more);
      expect(second.code).toBe(2);
      expect(second.said).toContain(`served already: ${url} (process ${pid})`);
    }
    const logs = await hermes(home, 'logs', '--tail', '2');
    expect(
      logs.said
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { event: string }).event),
    ).toHaveLength(2);
    expect(await hermes(home, 'stop')).toEqual({ code: 0, said: `Stopped (process ${pid}).\n` });
    expect((await hermes(home, 'status')).code).toBe(3);
    expect((await hermes(home, 'stop')).code).toBe(0);
    const [last] = (await lastLines([join(home.folder, 'logs', 'hermes.log')], 1)) ?? [];
    expect(last?.text).toContain('server.stopped');
  }, 60_000);

  it('is not fooled by the file of a process that is gone, nor by a number that somebody else has now', async () => {
    const home = await homeWithDaemon();
    const told = (server: object) =>
      writeFile(
        join(home.folder, 'server.json'),
        JSON.stringify({ startedAt: new Date().toISOString(), ...server }),
      );
    const gone = spawn('true');
    await once(gone, 'close');
    await told({ pid: gone.pid, url: 'http://127.0.0.1:1' });
    expect((await hermes(home, 'status')).code).toBe(3);
    // This process is there, but it is no server of Hermes: it must not be stopped.
    await told({ pid: process.pid, url: 'http://127.0.0.1:1' });
    expect(await hermes(home, 'stop')).toMatchObject({
      code: 0,
      said: expect.stringContaining('not running') as unknown,
    });
    expect((await hermes(home, 'serve', '--daemon', '--port', '0')).code).toBe(0);
    expect((await serverFile(home)).pid).not.toBe(process.pid);
  }, 60_000);

  it('loses no line over restarts, be they asked for or not', async () => {
    const home = await homeWithDaemon();
    const pids: number[] = [];
    for (const end of ['kill', 'stop'] as const) {
      expect((await hermes(home, 'serve', '--daemon', '--port', '0')).code).toBe(0);
      const { pid, url } = await serverFile(home);
      pids.push(pid);
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      // A request is in the log when its connection is done with it, which is after the answer.
      await expect
        .poll(() => readFile(join(home.folder, 'logs', 'server.log'), 'utf8'))
        .toContain(`"pid":${pid}`);
      await appendFile(join(home.folder, 'logs', 'server.err'), `said by ${pid}\n`);
      if (end === 'stop') expect((await hermes(home, 'stop')).code).toBe(0);
      else {
        process.kill(pid, 'SIGKILL');
        await expect.poll(async () => (await hermes(home, 'status')).code, { timeout: 10_000 }).toBe(3);
      }
    }
    const records = (await hermes(home, 'logs', '-n', '1000')).said
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string; pid: number; at: string; route?: string });
    const told = (event: string) => records.filter((each) => each.event === event).map(({ pid }) => pid);
    expect(told('server.started')).toEqual(pids);
    expect(told('server.stopped')).toEqual(pids.slice(1));
    const asked = records.filter(({ route }) => route === '/healthz').map(({ pid }) => pid);
    expect(new Set(asked)).toEqual(new Set(pids));
    expect(records.map(({ at }) => at)).toEqual(records.map(({ at }) => at).toSorted());
    const said = await readFile(join(home.folder, 'logs', 'server.err'), 'utf8');
    for (const pid of pids) expect(said).toContain(`said by ${pid}`);
  }, 90_000);

  it('says why it did not start', async () => {
    const home = await homeWithDaemon();
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as { port: number };
    const failed = await hermes(home, 'serve', '--daemon', '--port', String(port));
    expect(failed.code).not.toBe(0);
    expect(failed.said).toContain('something else listens there');
    const logged = await hermes(home, 'logs', '--level', 'error');
    expect(logged).toMatchObject({ code: 0 });
    expect(JSON.parse(logged.said)).toMatchObject({
      event: 'server.failed',
      code: 'input.conflict',
      error: expect.stringContaining('something else listens there') as unknown,
    });
    await rm(join(home.folder, 'logs'), { recursive: true });
    expect((await hermes(home, 'logs')).code).toBe(2);
  }, 60_000);
});

describe('followLog', () => {
  it('goes on into the file that takes the place of a full one, and misses no line', async () => {
    const home = await makeIncidentHome();
    onTestFinished(() => home.remove());
    const path = join(home.folder, 'server.log');
    await writeFile(path, 'old\n');
    const leave = new AbortController();
    const lines = followLog([path], leave.signal);
    const first = lines.next();
    await appendFile(path, 'one\ntwo\nhal');
    expect((await first).value).toBe('one');
    expect((await lines.next()).value).toBe('two');
    await appendFile(path, 'f\nlast\n');
    await rename(path, `${path}.1`);
    await writeFile(path, 'new\n');
    const rest: unknown[] = [];
    for (let count = 0; count < 3; count++) rest.push((await lines.next()).value);
    expect(rest).toEqual(['half', 'last', 'new']);
    leave.abort();
    expect((await lines.next()).done).toBe(true);
    expect((await lastLines([path], 3))?.map(({ text }) => text)).toEqual(['half', 'last', 'new']);
    expect(await lastLines([join(home.folder, 'none')], 3)).toBeUndefined();
  });
});
