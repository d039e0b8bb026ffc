import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type IncidentDatabase, openIncidentDatabase } from '#adapters/store';
import type { Incident } from '#spec/data';
import { closingTeller } from './closing-teller.ts';

let folder: string;
let database: IncidentDatabase;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hermes-closings-'));
  database = await openIncidentDatabase(join(folder, 'incidents.db'));
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const closed = (id: string, parts: Partial<Incident> = {}) =>
  database.restore({
    incident: {
      id,
      state: 'closed',
      severity: 'P2',
      title: 'payments fail',
      services: [],
      source: 'cli',
      startsAt: '2026-03-01T12:00:00Z',
      alerts: 1,
      firing: 0,
      round: 1,
      createdAt: 1,
      updatedAt: 2,
      ...parts,
    },
    alerts: [],
    facts: [],
  });

/** A teller with a clock of its own, and what it told. */
function teller(answer: (id: string) => boolean = () => true) {
  const told: string[] = [];
  const reported: unknown[] = [];
  const clock = { now: 0 };
  const reads: string[] = [];
  const tell = closingTeller({
    store: {
      summaries: database.incidents.summaries,
      get: (id) => {
        reads.push(id);
        return database.incidents.get(id);
      },
    },
    flows: {
      signal: async (id, name, _, key) => {
        told.push(`${id} ${name} ${key}`);
        return answer(id);
      },
    },
    now: () => clock.now,
    report: (thrown) => reported.push(thrown),
  });
  return { tell, told, reads, reported, clock };
}

describe('closings that were not passed on', () => {
  it('are told once, also where no flow is left to hear them', async () => {
    await closed('inc_a');
    await closed('inc_gone');
    await closed('inc_learnt', { lesson: { memories: [] } });
    await closed('inc_open', { state: 'watching' });
    const { tell, told, reads } = teller((id) => id !== 'inc_gone');
    for (let n = 0; n < 5; n++) await tell();
    expect(told.toSorted()).toEqual(['inc_a incident.closed closed', 'inc_gone incident.closed closed']);
    expect(reads).toHaveLength(3);
    await closed('inc_later');
    await tell();
    expect(told.at(-1)).toBe('inc_later incident.closed closed');
  });

  it('are tried again a few times when that fails, further and further apart, and hold up no others', async () => {
    await closed('inc_broken');
    await closed('inc_well');
    const { tell, told, reported, clock } = teller((id) => {
      if (id === 'inc_broken') throw new Error('disk is full');
      return true;
    });
    const tries: number[] = [];
    for (; clock.now < 7_200_000; clock.now += 15_000) {
      const before = told.filter((line) => line.startsWith('inc_broken')).length;
      await tell();
      if (told.filter((line) => line.startsWith('inc_broken')).length > before) tries.push(clock.now / 1_000);
    }
    expect(tries).toEqual([0, 30, 90, 210, 450, 930]);
    expect(reported).toHaveLength(6);
    expect(told.filter((line) => line.startsWith('inc_well'))).toHaveLength(1);
  });
});
