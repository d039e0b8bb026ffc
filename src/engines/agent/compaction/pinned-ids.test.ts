import { describe, expect, it } from 'vitest';
import type { Message, StoredMessage } from '#spec/data';
import { textOf } from '#support/engines/agent/scripted-turn';
import { applied, assistant, result, stored, turnOf, user } from '#support/engines/agent/stored-talk';
import { compact, type Compaction, type Summarise } from './compact.ts';
import { pinBlock, pinsOf } from './pinned-ids.ts';

const IDS = [
  'inc_mg1x2k3l8c1v0a9z4q7w',
  'ev_metric_1',
  'ev_change_2',
  'act_0123456789abcdef',
  'apr_cf07fe52023b',
  'chk_mg1x2k3l8c1v0a9z4q7w',
];
const [INC, , , ACT, APR, CHK] = IDS as [string, string, string, string, string, string];

/** A long investigation: what it found stands in results in the middle. */
const investigation = (size = 300): Message[] => [
  ...turnOf(1, 10),
  user('payment-service 发布后 503 飙升,先查证据'),
  assistant('', ['q1', 'incident_rca_guard', `{"service":"payment-service","incident":"${INC}"}`]),
  result(
    'q1',
    'incident_rca_guard',
    [
      `${INC} payment-service answers 503 since the deploy`,
      'ev_metric_1: error rate rose from 0.2 % to 14 %',
      'ev_change_2: deploy v2.14 four minutes earlier',
      `proposed: rollback payment-service (${ACT})`,
      `approval ${APR} requested for the rollback`,
      `checkpoint ${CHK} taken before it`,
      'x'.repeat(size),
    ].join('\n'),
  ),
  assistant(`The deploy did it (ev_metric_1, ev_change_2). ${'y'.repeat(200)}`),
];
const chatter = (turns: number, size = 300): Message[] =>
  Array.from({ length: turns }, (_, i) => turnOf(i + 20, size)).flat();

const forgetful: Summarise = async () => 'Active task: find out why payment-service fails.';
const all = (messages: readonly StoredMessage[]) => JSON.stringify(messages.map(({ message }) => message));
const squeeze = async (messages: readonly StoredMessage[], target: number, summarise?: Summarise) =>
  (await compact(messages, { target, tail: Math.floor(target / 5) }, summarise)) as Compaction;

describe('compaction keeps the ids of records', () => {
  it.each([
    ['a model that names none of them', forgetful],
    ['no model', undefined],
  ])('with %s, over and over', async (_, summarise) => {
    let messages = stored([...investigation(), ...chatter(12)]);
    for (let round = 0; round < 6; round++) {
      const done = await squeeze(messages, 900, summarise);
      expect(done.how).toBe(summarise ? 'summarised' : 'digested');
      const after = applied(messages, done);
      const digests = after.filter(({ kind }) => kind === 'digest');
      expect(digests).toHaveLength(1);
      for (const id of IDS)
        expect(all(digests).split(id).length - 1, `${id}, round ${round}`).toBeGreaterThan(0);
      // One block, however often it was taken up.
      expect(all(after).match(/Records that were named before/g)).toHaveLength(1);
      expect(all(after).match(new RegExp(`- approval ${APR}`, 'g'))).toHaveLength(1);
      const last = after.at(-1)?.position ?? 0;
      const more = stored(chatter(12)).map((message) => ({
        ...message,
        id: `r${round}_${message.id}`,
        position: last + message.position,
        turn: message.turn + 100 * (round + 1),
      }));
      messages = [...after, ...more];
    }
  });

  it('says what they refer to', async () => {
    const messages = stored([...investigation(), ...chatter(40)]);
    const done = await squeeze(messages, 3_000, forgetful);
    const [, block] = (done.replace[0]?.message.content ?? []).map((part) =>
      'text' in part ? part.text : '',
    );
    expect(block?.split('\n')).toEqual([
      expect.stringMatching(/^\[Records/),
      `- incident ${INC}: payment-service answers 503 since the deploy`,
      `- action ${ACT}: proposed: rollback payment-service (${ACT})`,
      `- approval ${APR}: approval ${APR} requested for the rollback`,
      `- checkpoint ${CHK}: checkpoint ${CHK} taken before it`,
      `- evidence ${INC}/ev_metric_1: error rate rose from 0.2 % to 14 %`,
      `- evidence ${INC}/ev_change_2: deploy v2.14 four minutes earlier`,
    ]);
  });

  it('when only results are put away', async () => {
    const messages = stored([...investigation(9_000), ...chatter(4, 20)]);
    const done = await squeeze(messages, 1_500, undefined);
    expect(done.how).toBe('pruned');
    const after = applied(messages, done);
    const pruned = after.find(({ kind }) => kind === 'digest')?.message;
    for (const id of IDS) expect(textOf(pruned)).toContain(id);
    expect(textOf(pruned)).toContain('error rate rose');
    // What was put away is not put away again, and keeps its ids when it becomes part of a digest.
    const next = applied(after, await squeeze([...after, ...stored(chatter(9)).map(later)], 600, forgetful));
    for (const id of IDS) expect(all(next)).toContain(id);
  });
});

const later = (message: StoredMessage): StoredMessage => ({
  ...message,
  id: `later_${message.id}`,
  position: message.position + 1_000,
  turn: message.turn + 1_000,
});

describe('pins', () => {
  it('tell evidence of one incident from that of another', () => {
    const messages = stored([
      result('a', 't', 'inc_aaa1\nev_metric_1: errors'),
      result('b', 't', 'inc_bbb2\nev_metric_1: latency'),
    ]);
    expect([...pinsOf(messages).keys()]).toEqual([
      'inc_aaa1',
      'inc_aaa1/ev_metric_1',
      'inc_bbb2',
      'inc_bbb2/ev_metric_1',
    ]);
  });

  it.each([
    ['approval apr_1 was granted by lin', 'granted'],
    ['审批 apr_1 已批准', '已批准'],
    ['apr_1 is not approved yet', undefined],
    ['apr_1 has to be approved first', undefined],
    ['apr_1 等待审批', undefined],
  ])('know how it ended: %s', (line, settled) => {
    const messages = stored([user('apr_1: rollback payment-service'), assistant(line)]);
    expect(pinsOf(messages).get('apr_1')).toMatchObject({ about: 'rollback payment-service' });
    expect(pinsOf(messages).get('apr_1')?.settled).toBe(settled);
  });

  it('go from the oldest settled one on, with a count that adds up', () => {
    const talk = Array.from({ length: 40 }, (_, i) =>
      user(`apr_${i}a: restart of service number ${i} ${i < 30 ? 'was granted' : 'waits for a yes'}`),
    );
    const messages = stored(talk);
    const block = pinBlock(messages, pinsOf(messages), 1_200) ?? '';
    expect(block.length).toBeLessThanOrEqual(1_200);
    for (let i = 30; i < 40; i++) expect(block).toContain(`apr_${i}a`);
    expect(block).not.toContain('apr_0a:');
    const [, out, open] = /\((\d+) settled and (\d+) open/.exec(block) ?? [];
    expect(Number(out) + (block.match(/^- approval/gm)?.length ?? 0)).toBe(40);
    expect(open).toBe('0');
    // Taken up again, the count is not forgotten.
    const digest = stored([{ role: 'user', content: [{ type: 'text', text: block }] }], 'digest');
    expect(pinBlock(digest, pinsOf(digest), 4_000)).toBe(block);
  });

  it('keep open ones as bare ids before any is left out', () => {
    const messages = stored(
      Array.from({ length: 30 }, (_, i) => user(`act_${i}b: ${'restart the service '.repeat(5)}`)),
    );
    const block = pinBlock(messages, pinsOf(messages), 1_000) ?? '';
    expect(block.length).toBeLessThanOrEqual(1_000);
    for (let i = 0; i < 30; i++) expect(block).toContain(`- action act_${i}b`);
  });
});
