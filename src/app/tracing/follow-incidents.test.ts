import { describe, expect, it, onTestFinished } from 'vitest';
import type { IncidentFact } from '#spec/data';
import type { FinishedSpan } from '#spec/ports';
import { followIncidents, type FollowDeps } from './follow-incidents.ts';

/** Facts in a common order, as the store of incidents has them. */
function facts() {
  const all: { n: number; fact: IncidentFact }[] = [];
  return {
    add(stream: string, type: IncidentFact['type'], data: object, at = Date.now()) {
      const seq = all.filter(({ fact }) => fact.stream === stream).length + 1;
      const fact = { id: `f${all.length}`, seq, at: new Date(at).toISOString(), stream, type, data };
      all.push({ n: all.length + 1, fact: fact as IncidentFact });
    },
    closed: (stream: string, at?: number) => {
      store.add(stream, 'incident.created', { title: '', severity: 'P2' }, at);
      store.add(stream, 'incident.closed', { state: 'closed', why: '' }, at);
    },
    clear: () => all.splice(0),
    news: async (after: number | 'last', limit: number) =>
      after === 'last' ? all.slice(-1) : all.filter(({ n }) => n > after).slice(0, limit),
    facts: async (id: string) => all.flatMap(({ fact }) => (fact.stream === id ? [fact] : [])),
  };
}
let store: ReturnType<typeof facts>;

function place() {
  let kept: number | undefined;
  return {
    readPlace: async () => kept,
    keepPlace: async (at: number) => void (kept = at),
  };
}

/** Follows until everything that is there was looked at. */
async function follow(
  deps: Partial<FollowDeps> & Pick<FollowDeps, 'readPlace' | 'keepPlace'>,
  meanwhile = () => {},
) {
  const told: FinishedSpan[] = [];
  let begun: (() => void) | undefined;
  const looked = new Promise<void>((resolve) => (begun = resolve));
  const following = followIncidents({
    store: {
      facts: store.facts,
      news: async (after, limit) => {
        const found = await store.news(after, limit);
        if (after !== 'last') begun?.();
        return found;
      },
    },
    add: (span) => told.push(span),
    progress: () => ({ taken: told.length, done: told.length }),
    now: Date.now,
    onTrouble: () => begun?.(),
    everyMs: 5,
    ...deps,
  });
  onTestFinished(() => following.close());
  await looked;
  meanwhile();
  await following.close();
  await following.keep();
  return told;
}

describe('incidents are followed', () => {
  it('from now on, and after a restart from where it stopped, nothing twice', async () => {
    store = facts();
    const kept = place();
    store.closed('inc_old');
    const first = await follow(kept, () => store.closed('inc_1'));
    expect(first).toHaveLength(1);
    expect(await follow(kept)).toEqual([]);
    store.closed('inc_2');
    const later = await follow(kept);
    expect(later).toHaveLength(1);
    expect(later[0]?.traceId).not.toBe(first[0]?.traceId);
  });

  it('again from what was not sent, with the same ids', async () => {
    store = facts();
    const kept = place();
    await kept.keepPlace(0);
    store.closed('inc_1');
    const lost = await follow({ ...kept, progress: () => ({ taken: 1, done: 0 }) });
    expect(await kept.readPlace()).toBe(0);
    const [again] = await follow(kept);
    expect(again).toEqual(lost[0]);
    expect(await kept.readPlace()).toBe(2);
  });

  it('with the beginning that another process told of, in the same trace', async () => {
    store = facts();
    const kept = place();
    const collected = { round: 1, series: 0, lines: 0, spans: 0, changes: 0, gaps: [], ms: 10 };
    const [before] = await follow(kept, () => {
      store.add('inc_1', 'incident.created', { title: '', severity: 'P2' });
      store.add('inc_1', 'evidence.collected', collected);
    });
    const [after] = await follow(kept, () =>
      store.add('inc_1', 'incident.closed', { state: 'closed', why: '' }),
    );
    expect(before).toMatchObject({ name: 'incident.collect', parentId: after?.spanId });
    expect(after).toMatchObject({ name: 'incident', traceId: before?.traceId });
  });

  it('without what ended long ago, and anew in another database', async () => {
    store = facts();
    const kept = place();
    await kept.keepPlace(0);
    store.closed('inc_old', Date.now() - 2 * 3_600_000);
    store.closed('inc_new');
    expect(await follow(kept)).toHaveLength(1);
    store.clear();
    store.closed('inc_other');
    expect(await follow(kept)).toEqual([]);
    expect(await kept.readPlace()).toBe(2);
  });

  it('again when the store could not be read, and that is told once', async () => {
    store = facts();
    let left = 3;
    const troubles: unknown[] = [];
    let worked: (() => void) | undefined;
    const works = new Promise<void>((resolve) => (worked = resolve));
    const following = followIncidents({
      ...place(),
      store: {
        facts: store.facts,
        news: async () => {
          if (left-- > 0) throw new Error('busy');
          worked?.();
          return [];
        },
      },
      add: () => undefined,
      progress: () => ({ taken: 0, done: 0 }),
      now: Date.now,
      onTrouble: (thrown) => troubles.push(thrown),
      everyMs: 1,
    });
    await works;
    await following.close();
    expect(troubles).toHaveLength(1);
  });
});
