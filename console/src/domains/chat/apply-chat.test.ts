import type { ChatItem, ChatSnapshot } from '#spec/api';
import { expect, it } from 'vitest';
import { applyChat, type ChatEvent, withEarlier } from './apply-chat.ts';

const text = (words: string): ChatItem => ({ kind: 'text', text: words });
const STATUS = { context: { used: 0, window: 0 }, cost: 0, busy: false, waiting: [] };
const snapshot = (items: ChatItem[], first = 0): ChatSnapshot => ({
  session: 'ses_1',
  source: 'console',
  items,
  first,
  status: STATUS,
  questions: [],
});
const put = (index: number, item: ChatItem): ChatEvent => ({ type: 'put', data: { index, item } });
const grow = (index: number, words: string): ChatEvent => ({ type: 'grow', data: { index, text: words } });

it('puts and grows behind the first that is shown, and keeps what was not touched', () => {
  const before = snapshot([text('a'), text('b')], 10);
  const after = applyChat(before, [grow(11, 'c'), put(12, text('d')), grow(12, 'e'), grow(3, 'gone')]);
  expect(after?.items).toEqual([text('a'), text('bc'), text('de')]);
  expect(after?.items[0]).toBe(before.items[0]);
  expect(before.items).toEqual([text('a'), text('b')]);
});

it('a snapshot takes the place of everything, also in the middle of a batch', () => {
  const after = applyChat(snapshot([text('a')]), [
    put(1, text('b')),
    { type: 'snapshot', data: snapshot([text('c')]) },
    grow(0, '!'),
  ]);
  expect(after?.items).toEqual([text('c!')]);
});

it('hears nothing before a snapshot', () =>
  expect(applyChat(undefined, [put(0, text('a'))])).toBeUndefined());

it('takes earlier items where they fit alone', () => {
  const state = snapshot([text('c')], 2);
  expect(withEarlier(state, 2, [text('a'), text('b')])).toMatchObject({
    first: 0,
    items: [{ text: 'a' }, { text: 'b' }, { text: 'c' }],
  });
  expect(withEarlier(state, 5, [text('x')])).toBe(state);
});
