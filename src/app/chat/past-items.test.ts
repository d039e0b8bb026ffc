import { expect, it } from 'vitest';
import type { AgentEvent, Message, StoredMessage } from '#spec/data';
import { pastItems } from './past-items.ts';

const ORIGIN = { provider: 'p', model: 'm', protocol: 'local' } as const;
const stored = (id: string, message: Message, kind: StoredMessage['kind'] = 'plain'): StoredMessage => ({
  id,
  session: 's',
  seq: 1,
  position: 1,
  turn: 1,
  at: 5,
  state: 'active',
  kind,
  message,
});
const user = (id: string, ...texts: string[]) =>
  stored(id, { role: 'user', content: texts.map((text) => ({ type: 'text', text })) });
const answer = (id: string, text: string) =>
  stored(id, { role: 'assistant', content: [{ type: 'text', text }], origin: ORIGIN });
const fact = (type: string, data: unknown) =>
  ({ id: 'e', seq: 1, at: '', stream: 's', type, data }) as AgentEvent;
const added = (message: string, role = 'user') => fact('message.added', { message, role });
const started = (text: string) => fact('turn.started', { turn: 1, text });
const ended = (status: string) => fact('turn.ended', { turn: 1, status, calls: 1 });

it('shows what the user wrote, without what was brought along', () => {
  const messages = [
    user('m1', 'see @a.txt', '<reference name="a.txt">\nsecret\n</reference>'),
    answer('m2', 'Seen.'),
  ];
  const facts = [added('m1'), started('see @a.txt'), added('m2', 'assistant'), ended('done')];
  expect(pastItems(messages, facts)).toEqual([
    { kind: 'user', text: 'see @a.txt', images: [], at: 5 },
    { kind: 'text', text: 'Seen.' },
  ]);
  expect(pastItems(messages, [])).toEqual(pastItems(messages, facts));
});

it('leaves out what was taken back, with its end', () => {
  const messages = [user('m3', 'again'), answer('m4', 'Yes.')];
  const facts = [
    added('m1'),
    started('first'),
    added('m2', 'assistant'),
    fact('steering.applied', { text: 'more' }),
    ended('aborted'),
    added('m3'),
    started('again'),
    added('m4', 'assistant'),
    ended('done'),
  ];
  expect(pastItems(messages, facts).map(({ kind }) => kind)).toEqual(['user', 'text']);
});

it('a turn that was killed is shown as stopped, also when others follow', () => {
  const messages = [user('m1', 'a'), answer('m2', 'hal'), user('m3', 'b')];
  const facts = [added('m1'), started('a'), added('m2', 'assistant'), added('m3'), started('b')];
  expect(pastItems(messages, facts).map(({ kind }) => kind)).toEqual([
    'user',
    'text',
    'stopped',
    'user',
    'stopped',
  ]);
});

it('shows where room was made, and nothing that only the model is told', () => {
  const messages = [
    user('m1', 'a'),
    stored('m2', { role: 'user', content: [{ type: 'text', text: 'go on' }] }, 'notice'),
  ];
  const facts = [
    added('m1'),
    started('a'),
    added('m2'),
    fact('context.compacted', { how: 'digested', before: 9, after: 3, archived: 2 }),
    ended('done'),
  ];
  expect(pastItems(messages, facts)).toMatchObject([
    { kind: 'user' },
    { kind: 'compacted', before: 9, after: 3 },
  ]);
});
