import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { alertmanagerPayload, incidentApi, makeIncidentHome, startServing } from '#testkit/incident-home';
import { askedFor, failingService } from '../incidents/failing-service.ts';

const alert = (n: number): object =>
  alertmanagerPayload([{ name: `Alert${n}`, service: `service-${n}`, startsAt: Date.now() }]);

describe('wrong tokens', () => {
  it.each([20, 2_000])(
    '%i of them from one address keep no right one out',
    async (many) => {
      const home = await makeIncidentHome();
      onTestFinished(() => home.remove());
      const serving = await startServing(home);
      onTestFinished(() => serving.kill());
      const api = incidentApi(() => serving.url, home.token);
      const wrong: number[] = [];
      const right: number[] = [];
      const guess = async (n: number) => {
        const stranger = incidentApi(() => serving.url, `wrong-token-${n}`);
        wrong.push((await stranger.send('GET', '/api/incidents')).status);
      };
      for (let n = 0; n < many; n += 20) {
        await Promise.all(Array.from({ length: 20 }, (_, i) => guess(n + i)));
        right.push((await api.send('POST', '/gateway/alertmanager', alert(n))).status);
        right.push((await api.send('GET', '/api/incidents')).status);
        right.push((await api.send('POST', '/api/session', { token: home.token })).status);
      }
      expect(new Set(right)).toEqual(new Set([200]));
      expect(wrong).toHaveLength(many);
      expect(wrong.filter((status) => status === 401).length).toBeGreaterThanOrEqual(20);
      expect(wrong.every((status) => status === 401 || status === 429)).toBe(true);
      if (many > 1_000) expect(wrong).toContain(429);
      expect((await api.send('GET', '/readyz')).status).toBe(200);
      expect(await serving.stop()).toBe(0);
    },
    120_000,
  );
});

/** Debian's package `faketime`. */
const FAKE = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
  .find((path) => existsSync(path));

describe('a clock that is set back by a day while serving', () => {
  it('changes nothing for who is signed in, waits or sends', async ({ skip }) => {
    if (!FAKE) return skip('libfaketime is not here: install the package faketime');
    const story = await failingService();
    const stamp = join(story.home.folder, 'faketime');
    await writeFile(stamp, '+0');
    const fake = [`LD_PRELOAD=${FAKE}`, `FAKETIME_TIMESTAMP_FILE=${stamp}`, 'FAKETIME_NO_CACHE=1'];
    // What only measures how long something lasts goes on, as on a real machine.
    const serving = await startServing(story.home, 0, ['env', ...fake, 'FAKETIME_DONT_FAKE_MONOTONIC=1']);
    onTestFinished(() => serving.kill());
    const api = incidentApi(() => serving.url, story.home.token);
    await story.feed(() => serving.url);
    const { incident, approval } = await askedFor(api, story.alert());
    const signedIn = await fetch(`${serving.url}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: story.home.token }),
    });
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';

    await writeFile(stamp, '-1d');
    const opened = await api.send('POST', '/api/incidents', { title: 'Checkout fails', service: 'other' });
    expect(opened.status).toBe(201);
    const { incident: other } = await api.incident((opened.body as { incident: string }).incident);
    // It has happened: the process lives a day ago.
    expect(Date.now() - other.createdAt).toBeGreaterThan(23 * 3_600_000);
    expect((await fetch(`${serving.url}/api/session`, { headers: { cookie } })).status).toBe(200);
    expect((await api.send('GET', '/readyz')).status).toBe(200);
    expect((await api.send('POST', '/gateway/alertmanager', alert(7))).status).toBe(200);
    expect((await api.approvals()).map(({ id }) => id)).toContain(approval.id);
    expect((await api.approve(approval.id)).status).toBe(200);
    await api.until('the action', async () => {
      const { facts } = await api.incident(incident.id);
      return facts.some(({ type }) => type === 'execution.finished') || undefined;
    });
    const { facts } = await api.incident(incident.id);
    expect(facts.filter(({ type }) => type === 'execution.started')).toHaveLength(1);
    expect(await serving.stop()).toBe(0);
  }, 150_000);
});
