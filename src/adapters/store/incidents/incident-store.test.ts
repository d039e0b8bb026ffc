import Database from 'better-sqlite3';
import { asText } from '#kit/text';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Alert, Incident } from '#spec/data';
import type { NewFact, OpenIncident, Placement } from '#spec/ports';
import { type IncidentDatabase, openIncidentDatabase } from './open-incident-database.ts';

let folder: string;
let database: IncidentDatabase;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hermes-incidents-'));
  database = await openIncidentDatabase(join(folder, 'incidents.db'));
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const alert = (fingerprint: string, more: Partial<Alert> = {}): Alert => ({
  fingerprint,
  source: 'alertmanager',
  status: 'firing',
  title: `alert ${fingerprint}`,
  severity: 'P2',
  service: 'payment-service',
  labels: {},
  annotations: {},
  startsAt: '2026-11-15T10:00:00Z',
  ...more,
});

let made = 0;
const alone = (): Placement => ({ to: 'new', id: `inc_${++made}` });
const admit = (
  alerts: Alert[],
  at = 1_000,
  place: (alert: Alert, open: readonly OpenIncident[]) => Placement = alone,
) => database.incidents.admit({ source: 'alertmanager', alerts }, place, at);

describe('taking alerts in', () => {
  it('opens one incident however often the same alert is delivered', async () => {
    const [first] = await admit([alert('a')]);
    expect(first).toMatchObject({ outcome: 'created', incident: expect.stringMatching(/^inc_/) });
    for (let at = 2_000; at < 7_000; at += 1_000)
      expect(await admit([alert('a')], at)).toEqual([
        { fingerprint: 'a', outcome: 'known', incident: first?.incident },
      ]);
    expect(await database.incidents.list({ limit: 10 })).toHaveLength(1);
  });

  it('puts several into one incident where it is told to, with the worst severity and all services', async () => {
    const [first] = await admit([alert('a')]);
    const id = first?.incident ?? '';
    const joins = () => ({ to: 'incident', id, why: asText('calls it') }) as const;
    await admit([alert('b', { severity: 'P1', service: 'order-service' })], 2_000, joins);
    expect(await database.incidents.get(id)).toMatchObject({
      severity: 'P1',
      services: ['payment-service', 'order-service'],
      alerts: 2,
      firing: 2,
    });
    expect((await database.incidents.alerts(id)).map(({ fingerprint }) => fingerprint)).toEqual(['a', 'b']);
  });

  it('says of each kind of alert how many there are, and why they belong there', async () => {
    const [first] = await admit([alert('a', { labels: { alertname: 'Slow' } })]);
    const id = first?.incident ?? '';
    const joins = (why: string) => () => ({ to: 'incident', id, why: asText(why) }) as const;
    const labels = { alertname: 'Errors' };
    await admit([alert('b', { labels, service: 'order-service' })], 2_000, joins('calls it'));
    await admit([alert('c', { labels, service: 'order-service', severity: 'P1' })], 3_000, joins('again'));
    await admit([alert('c', { labels, service: 'order-service', status: 'resolved' })], 4_000);
    const times = { firstAt: '2026-11-15T10:00:00Z', lastAt: '2026-11-15T10:00:00Z' };
    expect(await database.incidents.members(id)).toEqual([
      { name: 'Slow', service: 'payment-service', severity: 'P2', alerts: 1, firing: 1, ...times },
      {
        name: 'Errors',
        service: 'order-service',
        severity: 'P2',
        alerts: 2,
        firing: 1,
        ...times,
        why: asText('calls it'),
      },
    ]);
  });

  it('makes one of incidents that turn out to be the same', async () => {
    const [one] = await admit([alert('a')], 1_000);
    const [other] = await admit([alert('b', { service: 'order-service', severity: 'P1' })], 2_000);
    const [id, gone] = [one?.incident ?? '', other?.incident ?? ''];
    const [told] = await admit([alert('c', { service: 'db' })], 3_000, () => ({
      to: 'incident',
      id,
      why: asText('payment-service calls it'),
      merge: [{ id: gone, why: asText('order-service calls it') }],
    }));
    expect(told).toMatchObject({ outcome: 'joined', incident: id, merged: [gone] });
    expect(await database.incidents.get(id)).toMatchObject({
      severity: 'P1',
      services: ['payment-service', 'order-service', 'db'],
      alerts: 3,
      firing: 3,
    });
    const listed = async (parts: boolean) =>
      (await database.incidents.summaries({ parts, limit: 5 })).map((found) => found.id);
    expect(await listed(false)).toEqual([id]);
    expect(await listed(true)).toEqual(expect.arrayContaining([id, gone]));
    expect(await database.incidents.get(gone)).toMatchObject({
      state: 'closed',
      mergedInto: id,
      alerts: 0,
      firing: 0,
    });
    // Whatever was still at work on it changes no more.
    const late = { key: 'late', facts: [], patch: { state: 'watching' as const } };
    expect(await database.incidents.record(gone, late, 4_000)).toMatchObject({ state: 'closed' });
    expect(await admit([alert('b', { service: 'order-service', severity: 'P1' })], 5_000)).toMatchObject([
      { outcome: 'known', incident: id },
    ]);
    expect((await database.incidents.members(id)).map(({ why }) => why)).toEqual([
      undefined,
      asText('order-service calls it'),
      asText('payment-service calls it'),
    ]);
  });

  it('opens a storm where it is told to, and keeps what a person opened as that', async () => {
    const storm = { title: 'Alert storm', why: asText('many at once') };
    const [first] = await admit([alert('a')], 1, () => ({ to: 'new', id: 'inc_storm', storm }));
    expect(await database.incidents.get(first?.incident ?? '')).toMatchObject({
      title: 'Alert storm',
      kind: 'storm',
    });
    expect(await database.incidents.members('inc_storm')).toMatchObject([{ why: asText('many at once') }]);
    const seen: unknown[] = [];
    await database.incidents.admit(
      { source: 'cli', alerts: [alert('b')], told: 'opened' },
      (_, open, told) => {
        seen.push(
          open.map(({ kind }) => kind),
          told,
        );
        return { to: 'new', id: 'inc_hand' };
      },
      2,
    );
    expect(seen).toEqual([['storm'], 'opened']);
    expect(await database.incidents.get('inc_hand')).toMatchObject({ byHand: true });
  });

  it('holds very many alerts in little room, and still knows each of them', async () => {
    const id = 'inc_many';
    const many = Array.from({ length: 3_000 }, (_, n) =>
      alert(`m${n}`, {
        labels: { alertname: 'Slow', instance: `10.0.0.${n}`, note: 'l'.repeat(200) },
        annotations: { description: 'a text of some length '.repeat(40) },
      }),
    );
    await admit(many, 1_000, (_, open) =>
      open.length ? { to: 'incident', id, why: asText('the same service') } : { to: 'new', id },
    );
    expect(await database.incidents.get(id)).toMatchObject({ alerts: 3_000, firing: 3_000 });
    expect(await database.incidents.members(id)).toMatchObject([{ alerts: 3_000, firing: 3_000 }]);
    const listed = await database.incidents.alerts(id);
    expect([listed.length, listed[0]?.fingerprint, listed.at(-1)?.fingerprint]).toEqual([500, 'm0', 'm2999']);
    const facts = await database.incidents.facts(id, 0, 10_000);
    expect(JSON.stringify([listed, facts]).length).toBeLessThan(1_000_000);
    const over = many.map((one) => ({ ...one, status: 'resolved' as const }));
    expect(new Set((await admit(over, 2_000)).map(({ outcome }) => outcome))).toEqual(new Set(['resolved']));
    expect(await database.incidents.get(id)).toMatchObject({ alerts: 3_000, firing: 0 });
  });

  it('sees incidents of the same delivery', async () => {
    const seen: number[] = [];
    await database.incidents.admit(
      { source: 'x', alerts: [alert('a'), alert('b')] },
      (_, open) => {
        seen.push(open.length);
        return alone();
      },
      1,
    );
    expect(seen).toEqual([0, 1]);
  });

  it('takes a delivery whole or not at all', async () => {
    const broken = (given: Alert): Placement => {
      if (given.fingerprint === 'b') throw new Error('no place');
      return alone();
    };
    await expect(
      database.incidents.admit({ source: 'x', alerts: [alert('a'), alert('b')] }, broken, 1),
    ).rejects.toThrow('no place');
    expect(await database.incidents.list({ limit: 10 })).toEqual([]);
  });

  it('notes that an alert is over, and that it fires again', async () => {
    const [first] = await admit([alert('a')]);
    const id = first?.incident ?? '';
    expect(await admit([alert('a', { status: 'resolved' })])).toMatchObject([{ outcome: 'resolved' }]);
    expect(await database.incidents.get(id)).toMatchObject({ firing: 0, alerts: 1 });
    expect(await admit([alert('a', { startsAt: '2026-11-15T10:05:00Z' })])).toMatchObject([
      { outcome: 'refired', incident: id },
    ]);
    expect(await database.incidents.get(id)).toMatchObject({ firing: 1 });
  });

  it('makes nothing of the end of something that it never saw', async () => {
    expect(await admit([alert('z', { status: 'resolved' })])).toEqual([
      { fingerprint: 'z', outcome: 'known' },
    ]);
    expect(await database.incidents.list({ limit: 10 })).toEqual([]);
  });

  it('keeps what planned work explains, and opens nothing', async () => {
    const [first] = await admit([alert('a')], 1, () => ({ to: 'nowhere', why: asText('night shift') }));
    expect(first).toEqual({ fingerprint: 'a', outcome: 'suppressed', why: asText('night shift') });
    expect(await admit([alert('a')], 2)).toMatchObject([{ outcome: 'created' }]);
  });

  describe('after its incident has ended', () => {
    const end = async (state: 'recovered' | 'closed') => {
      const [first] = await admit([alert('a')]);
      const id = first?.incident ?? '';
      await database.incidents.record(
        id,
        { key: 'end', facts: [], patch: { state, closedAt: 1_000 } },
        1_000,
      );
      return id;
    };

    it('an alert that is merely repeated belongs to it', async () => {
      const id = await end('recovered');
      expect(await admit([alert('a')], 60_000)).toMatchObject([{ outcome: 'known', incident: id }]);
    });

    it('one that still fires long after opens a new one: what was done did not hold', async () => {
      await end('recovered');
      expect(await admit([alert('a')], 20 * 60_000)).toMatchObject([{ outcome: 'created' }]);
    });

    it('one that a person closed stays closed for as long as it is the same', async () => {
      const id = await end('closed');
      expect(await admit([alert('a')], 20 * 60_000)).toMatchObject([{ outcome: 'known', incident: id }]);
      const later = alert('a', { startsAt: '2026-11-15T12:00:00Z' });
      expect(await admit([later], 20 * 60_000)).toMatchObject([{ outcome: 'created' }]);
    });
  });
});

describe('the record', () => {
  it('writes facts and change together, and each key once', async () => {
    const [first] = await admit([alert('a')]);
    const id = first?.incident ?? '';
    const write = (note: string) =>
      database.incidents.record(
        id,
        {
          key: 'step 1',
          facts: [{ type: 'incident.updated', data: { what: asText(note) } }],
          patch: { note: asText(note) },
        },
        5_000,
      );
    await write('one');
    expect(await write('two')).toMatchObject({ note: asText('one') });
    const facts = await database.incidents.facts(id, 0, 100);
    expect(facts.map(({ type }) => type)).toEqual([
      'gateway.received',
      'alert.normalized',
      'incident.created',
      'incident.updated',
    ]);
    expect(facts.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    expect(await database.incidents.facts(id, 3, 100)).toHaveLength(1);
  });

  it('takes a part away that is patched with undefined', async () => {
    const [first] = await admit([alert('a')]);
    const id = first?.incident ?? '';
    const patch = (key: string, note: string | undefined) =>
      database.incidents.record(
        id,
        { key, facts: [], patch: { note: note === undefined ? note : asText(note) } },
        1,
      );
    await patch('1', 'there');
    expect(await patch('2', undefined)).not.toHaveProperty('note');
  });

  it('tells what is new in all incidents, in one order that goes on', async () => {
    await admit([alert('a'), alert('b')]);
    const first = await database.incidents.news(0, 4);
    expect(first).toHaveLength(4);
    const rest = await database.incidents.news(first.at(-1)?.n ?? 0, 100);
    expect(rest).toHaveLength(2);
    expect(await database.incidents.news(rest.at(-1)?.n ?? 0, 100)).toEqual([]);
    expect(await database.incidents.news('last', 100)).toEqual(rest.slice(-1));
  });

  it('finds by state, service and text', async () => {
    await admit([alert('a'), alert('b', { service: 'order-service', title: 'Too many 429' })]);
    const ids = async (filter: object) =>
      (await database.incidents.list({ limit: 10, ...filter })).map(({ title }) => title);
    expect(await ids({ service: 'order-service' })).toEqual(['Too many 429']);
    expect(await ids({ text: 'too MANY' })).toEqual(['Too many 429']);
    expect(await ids({ states: ['closed'] })).toEqual([]);
    expect(await ids({})).toHaveLength(2);
  });

  it('says that there is no such incident', async () => {
    await expect(database.incidents.record('inc_0', { key: 'x', facts: [] }, 1)).rejects.toThrow(
      "There is no incident 'inc_0'.",
    );
  });
});

it('is there after a restart', async () => {
  const [first] = await admit([alert('a')]);
  await database.close();
  database = await openIncidentDatabase(join(folder, 'incidents.db'));
  expect(await database.incidents.get(first?.incident ?? '')).toMatchObject({ title: 'alert a' });
  expect(await admit([alert('a')])).toMatchObject([{ outcome: 'known' }]);
});

it('opens what earlier versions wrote, when a sentence had one language', async () => {
  const [first] = await admit([alert('a')]);
  const id = first?.incident ?? '';
  await database.close();
  const file = new Database(join(folder, 'incidents.db'));
  const body = JSON.parse(
    file.prepare<[], string>('SELECT body FROM incidents').pluck().get() ?? '',
  ) as Incident;
  const window = { start: '2026-03-01T12:00:00Z', end: '2026-03-01T12:10:00Z' };
  const seen = { id: 'ev_log_1', kind: 'log', summary: 'it rose', query: 'q', window, score: 1 };
  const held = { category: 'disk', confidence: 0.9, supports: [], refutes: [], why: 'it is full' };
  const old = {
    ...body,
    note: 'Nobody answered the request in time.',
    rca: {
      status: 'concluded',
      hypotheses: [{ ...held, said: { zh: '磁盘已满' } }],
      evidence: [seen],
      missing: ['logs'],
    },
  };
  file.prepare('UPDATE incidents SET body = ?').run(JSON.stringify(old));
  file
    .prepare('INSERT INTO facts (incident, seq, id, at, type, data) VALUES (1, 99, ?, 1, ?, ?)')
    .run('f', 'incident.closed', JSON.stringify({ state: 'closed', why: 'a drill' }));
  file.close();
  database = await openIncidentDatabase(join(folder, 'incidents.db'));
  const note = asText('Nobody answered the request in time.');
  expect(await database.incidents.get(id)).toMatchObject({
    note,
    rca: {
      hypotheses: [{ why: { en: 'it is full', zh: '磁盘已满' } }],
      evidence: [{ summary: asText('it rose') }],
      missing: [asText('logs')],
    },
  });
  expect(await database.incidents.summaries({ limit: 1 })).toMatchObject([{ id, note }]);
  expect((await database.incidents.facts(id, 0, 100)).at(-1)?.data).toEqual({
    state: 'closed',
    why: asText('a drill'),
  });
});

describe('many incidents', () => {
  const RCA: NonNullable<Incident['rca']> = {
    status: 'concluded',
    hypotheses: [
      { category: 'disk', service: 'ledger', confidence: 0.9, supports: [], refutes: [], why: asText('') },
    ],
    evidence: [],
    missing: [],
  };

  it('are summed up with exactly what lists show', async () => {
    const [first] = await admit([alert('a')], 1_000);
    const [second] = await admit([alert('b', { service: 'order-service' })], 2_000);
    const id = first?.incident ?? '';
    const patch = { rca: RCA, note: asText('full'), state: 'closed', closedAt: 5_000 } as const;
    await database.incidents.record(id, { key: 'k', facts: [], patch }, 4_000);
    const { summaries } = database.incidents;
    expect(await summaries({ limit: 10 })).toEqual([
      expect.objectContaining({ id: second?.incident, services: ['order-service'], state: 'investigating' }),
      {
        id,
        title: 'alert a',
        severity: 'P2',
        state: 'closed',
        note: asText('full'),
        service: 'payment-service',
        services: ['payment-service'],
        startsAt: '2026-11-15T10:00:00Z',
        alerts: 1,
        firing: 1,
        createdAt: 1_000,
        updatedAt: 4_000,
        closedAt: 5_000,
        verdict: 'concluded',
        cause: 'disk',
        blamed: 'ledger',
      },
    ]);
    const ids = async (filter: Parameters<typeof summaries>[0]) =>
      (await summaries(filter)).map((summary) => summary.id);
    expect(await ids({ from: 2_000, limit: 10 })).toEqual([second?.incident]);
    expect(await ids({ from: 1_000, before: 2_000, limit: 10 })).toEqual([id]);
    for (const filter of [
      { states: ['closed'] as const },
      { service: 'order-service' },
      { text: 'ALERT B' },
      { before: 2_000 },
      { from: 2_000 },
      {},
    ])
      expect(await ids({ ...filter, limit: 1 })).toEqual(
        (await database.incidents.list({ ...filter, limit: 1 })).map((incident) => incident.id),
      );
  });

  it('are told by what happened in a stretch of time', async () => {
    const [first] = await admit([alert('a')], 1_000);
    await admit([alert('a')], 1_500);
    const [second] = await admit([alert('b')], 2_000);
    const id = first?.incident ?? '';
    const lesson: NewFact = { type: 'lesson.recorded', data: { lesson: { memories: [] } } };
    await database.incidents.record(id, { key: 'k', facts: [lesson] }, 9_000);
    const types = ['incident.created', 'lesson.recorded'] as const;
    const between = (from: number, to: number, limit = 10) =>
      database.incidents.histories({ from, to, types, limit });
    const told = await between(9_000, 9_001);
    expect(told).toMatchObject([{ incident: { id }, deliveries: 2 }]);
    expect(told[0]?.facts.map(({ type, stream }) => [type, stream])).toEqual([
      ['incident.created', id],
      ['lesson.recorded', id],
    ]);
    expect((await between(0, 9_000)).map(({ incident }) => incident.id)).toEqual([id, second?.incident]);
    expect(await between(0, 9_000, 1)).toHaveLength(1);
    expect(await between(2_001, 9_000)).toEqual([]);
  });
});
