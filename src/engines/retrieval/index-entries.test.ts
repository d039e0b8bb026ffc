import { describe, expect, it } from 'vitest';
import type { Message, StoredMessage } from '#spec/data';
import { indexEntries } from './index-entries.ts';

/** Entries of messages in the order of their conversation; those of one session are neighbours. */
function entriesOf(messages: readonly StoredMessage[]) {
  const beside = (at: number, session: string) => {
    const message = messages[at];
    return message?.session === session ? message : undefined;
  };
  return indexEntries(
    messages.map((message, at) => {
      const previous = beside(at - 1, message.session);
      const next = beside(at + 1, message.session);
      return { message, ...(previous ? { previous } : {}), ...(next ? { next } : {}) };
    }),
  );
}

function stored(id: string, said: string | Message, session = 's1'): StoredMessage {
  const message: Message =
    typeof said === 'string' ? { role: 'user', content: [{ type: 'text', text: said }] } : said;
  const at = new Date(2026, 10, 15, 12).getTime();
  return { id, session, seq: 1, position: 1, turn: 1, at, state: 'active', kind: 'plain', message };
}

describe('indexEntries', () => {
  it('tells of the neighbours in the same session, without their stop words', () => {
    const entries = entriesOf([
      stored('a', 'Is the pool exhausted?'),
      stored('b', 'Yes, it is.'),
      stored('c', 'Restart payment'),
      stored('d', 'Other talk', 's2'),
    ]);
    expect(entries.map(({ fields: { previous, next } }) => [previous, next])).toEqual([
      ['', ''],
      ['pool exhaust', 'restart payment'],
      ['', ''],
      ['', ''],
    ]);
    expect(entries[0]?.fields.text).toBe('pool exhaust');
    expect(entries[1]?.fields.text).toBe('');
  });

  it('names the day in both languages', () => {
    const [entry] = entriesOf([stored('a', 'x')]);
    expect(entry?.fields.date.split(' ')).toEqual(
      expect.arrayContaining(['2026-11-15', '2026', 'novemb', '11', '15', 'sundai', '周日', '期日']),
    );
  });

  it('takes the name of a tool for a speaker, and finds what it was called with', () => {
    const result: Message = { role: 'tool', callId: '1', name: 'read_file', isError: false, content: [] };
    const call: Message = {
      role: 'assistant',
      origin: { provider: 'p', model: 'm', protocol: 'local' },
      content: [
        { type: 'thinking', text: 'secret' },
        { type: 'tool_call', id: '1', name: 'read_file', arguments: '{"path":"/etc/hosts"}' },
      ],
    };
    const [said, answered] = entriesOf([stored('a', call), stored('b', result)]);
    expect(said?.fields.text).toBe('read_file read file path etc/hosts etc host');
    expect(said?.fields.speaker).toBe('assist');
    expect(answered?.fields.speaker).toBe('tool read_file read file');
  });

  it('keeps the beginning and the end of a very long text', () => {
    const [entry] = entriesOf([stored('a', `first ${'filler '.repeat(1_000_000)} last`)]);
    const words = new Set(entry?.fields.text.split(' '));
    expect([...words]).toEqual(expect.arrayContaining(['first', 'filler', 'last']));
    expect(entry?.fields.text.length).toBeLessThan(100_000);
  });

  it('bounds what it tells of a neighbour', () => {
    const many = Array.from({ length: 100 }, (_, at) => `word${at}`).join(' ');
    const [, entry] = entriesOf([stored('a', many), stored('b', 'x')]);
    expect(entry?.fields.previous.split(' ')).toHaveLength(10);
  });
});
