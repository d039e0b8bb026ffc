import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  alertmanagerPayload,
  incidentApi,
  type IncidentHome,
  makeIncidentHome,
  startServing,
} from '#testkit/incident-home';
import { hermes } from '../cli/hermes.ts';

const DEFECT = /Hermes made a mistake|^\s+at /m;
const alert = (n: number): object =>
  alertmanagerPayload([{ name: `Alert${n}`, service: `service-${n}`, startsAt: Date.now() }]);

async function served(enter: readonly string[] = []) {
  const home = await makeIncidentHome();
  onTestFinished(() => home.remove());
  const serving = await startServing(home, 0, enter);
  onTestFinished(() => serving.kill());
  const api = incidentApi(() => serving.url, home.token);
  const send = (n: number) => api.send('POST', '/gateway/alertmanager', alert(n));
  const trouble = () =>
    api.until('not ready', async () => {
      // A process that can open no more files cuts new connections.
      const answer = await api.send('GET', '/readyz/details').catch(() => undefined);
      return answer?.status === 503 ? answer.body : undefined;
    });
  const ready = () =>
    api.until('ready', async () => (await api.send('GET', '/readyz')).status === 200 || undefined);
  expect((await send(0)).status).toBe(200);
  return { home, serving, api, send, trouble, ready, said: () => serving.complaints.join('\n') };
}

/** As a disk does that gives back something else than it was given: every page, under the open connection. */
async function damage({ folder }: IncidentHome, name: string): Promise<void> {
  for (const path of [join(folder, name), join(folder, `${name}-wal`)]) {
    if (!existsSync(path)) continue;
    const file = await open(path, 'r+');
    const { size } = await file.stat();
    await file.write(randomBytes(size), 0, size, 0);
    await file.close();
  }
}

describe('a database that is damaged while serving', () => {
  it.each(['incidents.db', 'memory.db', 'ledger.db'])(
    '%s is found without a request, and nothing more is taken into it',
    async (name) => {
      const { home, serving, api, send, trouble, said } = await served();
      await damage(home, name);
      expect(await trouble()).toMatchObject({
        details: { home: { code: 'store.corrupt', message: expect.stringContaining(name) as unknown } },
      });
      if (name === 'incidents.db')
        expect(await send(1)).toMatchObject({ status: 503, body: { code: 'store.corrupt' } });
      // What does not lie in the damaged file goes on.
      else expect((await send(1)).status).toBe(200);
      const opened = await api.send('POST', '/api/incidents', {
        title: 'Checkout fails',
        service: 'checkout',
      });
      expect(opened.status).toBe(name === 'incidents.db' ? 503 : 201);
      expect((await api.send('GET', '/healthz')).status).toBe(200);
      await expect.poll(said).toContain(name);
      expect(said()).not.toMatch(DEFECT);
      const doctor = await hermes(home.folder, ['doctor']);
      expect(doctor.out).toMatch(new RegExp(`✗ ${name} .*damaged`));
      expect(await serving.stop()).toBe(0);
    },
    90_000,
  );
});

describe('a home that is gone while serving', () => {
  it('acknowledges nothing while it is away, and goes on when it is back', async () => {
    const { home, serving, api, send, trouble, ready, said } = await served();
    await rename(home.folder, `${home.folder}.away`);
    onTestFinished(() => rm(`${home.folder}.away`, { recursive: true, force: true }));
    // The very first one: nobody has looked since.
    expect(await send(1)).toMatchObject({ status: 503, body: { code: 'store.failing' } });
    expect((await api.send('POST', '/api/incidents', { title: 'x', service: 'x' })).status).toBe(503);
    expect(await trouble()).toMatchObject({ details: { home: { code: 'store.failing' } } });
    expect(said()).toMatch(/removed, moved or replaced/);
    // Nothing has taken its place meanwhile.
    await rename(`${home.folder}.away`, home.folder);
    await ready();
    expect((await send(1)).status).toBe(200);
    expect(await api.incidents()).toHaveLength(2);
    expect(await serving.stop()).toBe(0);
  }, 90_000);

  it('does not take a new folder, or a copy, for the home', async () => {
    const { home, serving, send, trouble } = await served();
    await rm(home.folder, { recursive: true });
    await expect.poll(async () => (await send(1)).status).toBe(503);
    const other = await makeIncidentHome();
    onTestFinished(() => other.remove());
    await rm(home.folder, { recursive: true, force: true });
    await rename(other.folder, home.folder);
    expect((await send(1)).status).toBe(503);
    expect(await trouble()).toMatchObject({ details: { home: { code: 'store.failing' } } });
    expect(await serving.stop()).toBe(0);
  }, 90_000);
});

describe('too many open files', () => {
  it('says so, loses nothing that it acknowledged, and goes on', async ({ skip }) => {
    if (process.platform !== 'linux') return skip('/proc is looked at: needs Linux');
    const most = 64;
    const { serving, api, send, trouble, ready, said } = await served([
      'sh',
      '-c',
      `ulimit -n ${most}; exec "$@"`,
      'sh',
    ]);
    const sockets: Socket[] = [];
    onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
    for (let n = 0; n < 2 * most; n++)
      sockets.push(connect(Number(new URL(serving.url).port), '127.0.0.1').on('error', () => undefined));
    const used = async () => (await readdir(`/proc/${serving.process.pid}/fd`)).length;
    await expect.poll(used, { timeout: 20_000 }).toBeGreaterThanOrEqual(most - 2);
    expect(await trouble()).toMatchObject({ details: { home: { code: 'store.failing' } } });
    const acknowledged: number[] = [];
    for (let n = 1; n <= 5; n++) {
      const answer = await send(n).catch(() => undefined);
      expect([200, 503, undefined]).toContain(answer?.status);
      if (answer?.status === 200) acknowledged.push(n);
    }
    await expect.poll(said).toMatch(/EMFILE|unable to open|too many files/);
    for (const socket of sockets) socket.destroy();
    await ready();
    const known = (await api.incidents()).map(({ services }) => services[0]);
    for (const n of acknowledged) expect(known).toContain(`service-${n}`);
    for (let n = 1; n <= 5; n++) expect((await send(n)).status).toBe(200);
    expect(await api.incidents()).toHaveLength(6);
    expect(said()).not.toMatch(DEFECT);
    expect(await serving.stop()).toBe(0);
  }, 90_000);
});
