import { readFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  alertmanagerPayload,
  incidentApi,
  type IncidentHome,
  makeIncidentHome,
  startServing,
} from '#testkit/incident-home';
import { type DiskOptions, openSmallDisk, type SmallDisk } from '#testkit/small-disk';
import { askedFor, failingService } from '../incidents/failing-service.ts';

const FILL = 'dd if=/dev/zero of="$DISK/filler" bs=4k 2>/dev/null || true';
const FAULTS: readonly {
  readonly name: string;
  readonly disk: DiskOptions;
  readonly break: string;
  readonly mend?: string;
  readonly code: string;
}[] = [
  {
    name: 'a full disk',
    disk: { kind: 'tmpfs', megabytes: 10 },
    break: FILL,
    mend: 'rm "$DISK/filler"',
    code: 'store.full',
  },
  {
    name: 'no inodes',
    disk: { kind: 'tmpfs', megabytes: 60, inodes: 300 },
    break: 'mkdir "$DISK/many"; i=0; while touch "$DISK/many/$i" 2>/dev/null; do i=$((i+1)); done; true',
    mend: 'rm -r "$DISK/many"',
    code: 'store.full',
  },
  // As a disk with errors is: what is open cannot be written either. It is mended by mounting it again.
  {
    name: 'a disk that turns read-only',
    disk: { kind: 'ext4', megabytes: 30 },
    break: 'mount -o remount,abort "$DISK"',
    code: 'store.read_only',
  },
];

async function diskOf(home: IncidentHome, options: DiskOptions): Promise<SmallDisk | undefined> {
  const disk = await openSmallDisk(home.folder, options);
  if (disk) onTestFinished(() => disk.close());
  return disk;
}

const alert = (n: number): object =>
  alertmanagerPayload([{ name: `Alert${n}`, service: `service-${n}`, startsAt: Date.now() }]);

const logOf = async (disk: SmallDisk): Promise<string> => readFile(disk.path('logs', 'hermes.log'), 'utf8');

describe.each(FAULTS)('$name while serving', ({ disk: options, break: breakIt, mend, code }) => {
  it('acknowledges nothing that is not stored, says so everywhere, and goes on by itself', async ({
    skip,
  }) => {
    const home = await makeIncidentHome();
    onTestFinished(() => home.remove());
    const disk = await diskOf(home, options);
    if (!disk) return skip(`mounting ${options.kind} is not allowed here: needs Linux and root`);
    const serving = await startServing(home, 0, disk.enter);
    onTestFinished(() => serving.kill());
    const api = incidentApi(() => serving.url, home.token);
    const raw = (path: string, init: RequestInit = {}) =>
      fetch(`${serving.url}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${home.token}`, 'content-type': 'application/json' },
      });
    expect((await api.send('POST', '/gateway/alertmanager', alert(0))).status).toBe(200);
    expect((await raw('/readyz')).status).toBe(200);

    await disk.shell(breakIt);
    const acknowledged: number[] = [];
    for (let n = 1; n <= 5; n++) {
      const answer = await raw('/gateway/alertmanager', { method: 'POST', body: JSON.stringify(alert(n)) });
      if (answer.status === 200) {
        acknowledged.push(n);
        continue;
      }
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await answer.json()).toMatchObject({
        code,
        detail: expect.stringContaining('Send it again') as unknown,
        detail_zh: expect.stringContaining('重新发送') as unknown,
      });
    }
    // The background look needs no request to find it.
    const details = await api.until('not ready', async () => {
      const answer = await raw('/readyz/details');
      return answer.status === 503 ? ((await answer.json()) as object) : undefined;
    });
    expect(details).toMatchObject({ details: { home: { code } } });
    expect(await (await raw('/readyz')).json()).toEqual({ status: 'unavailable' });
    expect((await raw('/healthz')).status).toBe(200);
    // What was stored can still be read, and whoever may not come in stays out.
    const known = (await api.incidents()).map(({ services }) => services[0]);
    for (const n of [0, ...acknowledged]) expect(known).toContain(`service-${n}`);
    const stranger = incidentApi(() => serving.url, 'a-token-that-nobody-has');
    expect((await stranger.send('POST', '/api/incidents', { title: 'x' })).status).toBe(401);
    const said = () => serving.complaints.join('\n');
    await expect.poll(said).toContain('/readyz says no');
    // Where the log's own disk takes nothing either, its lines are on standard error.
    const written = (await logOf(disk)) + said();
    expect(written).toContain(`"event":"home.failing"`);
    expect(said()).not.toMatch(/Hermes made a mistake|^\s+at /m);
    if (!mend) {
      expect(await serving.stop()).toBe(0);
      return;
    }

    await disk.shell(mend);
    await api.until('ready again', async () => (await raw('/readyz')).status === 200 || undefined);
    for (let n = 1; n <= 5; n++)
      expect((await api.send('POST', '/gateway/alertmanager', alert(n))).status).toBe(200);
    expect(await api.incidents()).toHaveLength(6);
    await expect.poll(() => logOf(disk)).toContain('"event":"home.healed"');
    expect(await serving.stop()).toBe(0);
  }, 90_000);

  it('says at the start why it does not start', async ({ skip }) => {
    const home = await makeIncidentHome();
    onTestFinished(() => home.remove());
    const disk = await diskOf(home, options);
    if (!disk) return skip(`mounting ${options.kind} is not allowed here: needs Linux and root`);
    await disk.shell(breakIt);
    const failed = startServing(home, 0, disk.enter);
    await expect(failed).rejects.toThrow(/no room left|may not write there/);
    await expect(failed).rejects.not.toThrow(/made a mistake|^\s+at /m);
  }, 60_000);
});

describe('an incident that is being worked on when the disk fills', () => {
  it('goes on where it was when there is room again, and its action runs once', async ({ skip }) => {
    const story = await failingService();
    const disk = await diskOf(story.home, { kind: 'tmpfs', megabytes: 24 });
    if (!disk) return skip('mounting tmpfs is not allowed here: needs Linux and root');
    const serving = await startServing(story.home, 0, disk.enter);
    onTestFinished(() => serving.kill());
    const api = incidentApi(() => serving.url, story.home.token);
    const registry = async () => JSON.parse(await readFile(disk.path('deployments.json'), 'utf8')) as object;
    await story.feed(() => serving.url);
    const { incident, approval } = await askedFor(api, story.alert());

    await disk.shell(FILL);
    expect((await api.approve(approval.id)).status).toBe(503);
    expect(await registry()).toMatchObject({ applied: {} });
    await disk.shell('rm "$DISK/filler"');
    await api.until('the approval is taken', async () => {
      const { status } = await api.approve(approval.id);
      return status === 200 || status === 409 || undefined;
    });
    // The feed cannot see the registry on the small disk: it is enough that the order was carried out, once.
    await api.until('the action', async () => {
      const { applied } = (await registry()) as { applied: object };
      return Object.keys(applied).length === 1 || undefined;
    });
    const { facts } = await api.incident(incident.id);
    expect(facts.filter(({ type }) => type === 'execution.started')).toHaveLength(1);
  }, 120_000);
});
