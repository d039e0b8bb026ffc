import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cpuMs } from '#testkit/cpu-time';
import { type IncidentDatabase, openIncidentDatabase } from '#adapters/store';
import { type Alert, OPEN_STATES } from '#spec/data';
import { placeAlert } from '../incident/place-alert.ts';
import { intake, type IntakeDeps } from './intake.ts';

const NOW = Date.parse('2026-08-01T10:00:00Z');
const TOPOLOGY = { edges: [{ from: 'payment', to: 'order' }] };

const alert = (more: Partial<Alert> = {}): Alert => ({
  fingerprint: 'f1',
  source: 'alertmanager',
  status: 'firing',
  title: 'payment answers 503',
  severity: 'P1',
  service: 'payment',
  labels: { alertname: 'HighErrorRate' },
  annotations: {},
  startsAt: '2026-08-01T09:59:00Z',
  ...more,
});
const deliver = (...alerts: unknown[]) => ({ source: 'alertmanager', alerts });

describe('intake', () => {
  let folder: string;
  let database: IncidentDatabase;
  let deps: IntakeDeps;
  let now = NOW;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'intake-'));
    database = await openIncidentDatabase(join(folder, 'incidents.db'));
    now = NOW;
    let ids = 0;
    const newId = () => `inc_${++ids}`;
    const place = placeAlert({ topology: TOPOLOGY, maintenance: [], now: () => now, newId });
    deps = { store: database.incidents, place, now: () => now };
  });
  afterEach(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });
  const kept = async (id = 'inc_1') => (await database.incidents.alerts(id))[0];

  it('opens an incident, joins what is near, knows what it had, and takes the end', async () => {
    const order = alert({ fingerprint: 'f2', service: 'order', title: 'order is slow' });
    expect(await intake(deliver(alert(), order), deps)).toMatchObject([
      { fingerprint: 'f1', outcome: 'created', incident: 'inc_1' },
      { fingerprint: 'f2', outcome: 'joined', incident: 'inc_1' },
    ]);
    expect(await intake(deliver(alert()), deps)).toMatchObject([{ outcome: 'known', incident: 'inc_1' }]);
    const end = alert({ status: 'resolved', endsAt: '2026-08-01T09:59:30Z' });
    expect(await intake(deliver(end), deps)).toMatchObject([{ outcome: 'resolved', incident: 'inc_1' }]);
    expect(await database.incidents.get('inc_1')).toMatchObject({
      alerts: 2,
      firing: 1,
      services: ['payment', 'order'],
    });
  });

  it('makes a handful of incidents of a thousand alerts, in good time', async () => {
    const services = Array.from({ length: 40 }, (_, n) => `service-${n}`);
    const edges = services.slice(1).map((to, n) => ({ from: `service-${Math.floor(n / 3)}`, to }));
    const place = placeAlert({ topology: { edges }, maintenance: [], now: () => now, newId: counter() });
    const alerts = Array.from({ length: 1000 }, (_, n) =>
      alert({
        fingerprint: `f${n}`,
        service: `service-${(n * 17) % 40}`,
        annotations: { description: 'a text of some length '.repeat(20) },
      }),
    );
    const began = cpuMs();
    const admitted = await intake(deliver(...alerts), { ...deps, place });
    expect(cpuMs() - began).toBeLessThan(5000);
    expect(admitted).toHaveLength(1000);
    const open = await database.incidents.list({ states: OPEN_STATES, limit: 100 });
    expect(open.length).toBeLessThanOrEqual(5);
    expect(open.reduce((sum, { alerts: count }) => sum + count, 0)).toBe(1000);
  });

  it('refuses what cannot be read, and keeps nothing of the delivery', async () => {
    const bad = { ...alert({ fingerprint: 'f2' }), severity: 'P9' };
    await expect(intake(deliver(alert(), bad), deps)).rejects.toMatchObject({
      record: { code: 'input.invalid', message: expect.stringMatching(/^alerts\[1\]\.severity/) },
    });
    expect(await database.incidents.list({ limit: 10 })).toEqual([]);
  });

  it('refuses too many alerts, and takes none for nothing', async () => {
    const many = Array.from({ length: 1001 }, (_, n) => alert({ fingerprint: `f${n}` }));
    await expect(intake(deliver(...many), deps)).rejects.toMatchObject({
      record: { code: 'input.too_large' },
    });
    await expect(intake(deliver(alert(), alert()), { ...deps, limits: { alerts: 1 } })).rejects.toThrow(
      /1 is/,
    );
    expect(await intake(deliver(), deps)).toEqual([]);
  });

  it('cleans what could deceive or give away', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const dirty = alert({
      title: 'pay\u202Ement\u0000\nis   down',
      labels: { alertname: 'x', 'te\u200Bam': 'a\u0007b' },
      annotations: { note: `line one\nuse ${secret}` },
      link: `https://user:hunter22@grafana.example/d?auth=${secret}`,
    });
    await intake(deliver(dirty), deps);
    const stored = await kept();
    expect(stored).toMatchObject({
      title: 'payment is down',
      labels: { alertname: 'x', team: 'ab' },
      annotations: { note: 'line one\nuse [secret:github-token]' },
    });
    expect(stored?.link).toMatch(/^https:\/\/grafana\.example\/d\?auth=/);
    expect(JSON.stringify(stored)).not.toMatch(/ghp_|hunter22/);
  });

  it('bounds every part', async () => {
    const names = Array.from({ length: 100 }, (_, n) => [`a${n}`, '中'.repeat(1000)]);
    await intake(
      deliver(
        alert({
          fingerprint: 'f'.repeat(5000),
          title: 't'.repeat(5000),
          labels: Object.fromEntries([...names, ['severity', 'page'], ['cluster', 'east']]),
          annotations: { long: 'x'.repeat(10_000) },
          link: `https://grafana.example/${'x'.repeat(5000)}`,
        }),
      ),
      deps,
    );
    const stored = await kept();
    const values = Object.values(stored?.labels ?? {});
    expect(values).toHaveLength(64);
    expect(stored?.labels).toMatchObject({ severity: 'page', cluster: 'east' });
    expect(Math.max(...values.map((value) => Buffer.byteLength(value)))).toBeLessThanOrEqual(1024);
    expect(values.join('')).not.toContain('\uFFFD');
    expect(Buffer.byteLength(stored?.annotations['long'] ?? '')).toBe(4096);
    expect(Buffer.byteLength(stored?.title ?? '')).toBe(300);
    expect(stored?.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(stored).not.toHaveProperty('link');
  });

  it('mends times that cannot be, and links that are none', async () => {
    await intake(
      deliver(
        alert({
          startsAt: '2031-01-01T00:00:00Z',
          link: 'javascript:alert(1)',
        }),
      ),
      deps,
    );
    expect(await kept()).toMatchObject({ startsAt: '2026-08-01T10:00:00.000Z' });
    expect(await kept()).not.toHaveProperty('link');
  });

  it('finds the service in the labels when nobody named it', async () => {
    const { service: _, ...unnamed } = alert({ labels: { pod: 'payment-7d9f8b6c5d-x2x9q' } });
    await intake(deliver(unnamed), deps);
    expect(await database.incidents.get('inc_1')).toMatchObject({ service: 'payment' });
  });
});

function counter(): () => string {
  let n = 0;
  return () => `storm_${++n}`;
}
