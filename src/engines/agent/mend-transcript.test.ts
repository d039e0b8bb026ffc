import { describe, expect, it } from 'vitest';
import type { Message } from '#spec/data';
import { call, INFO } from '#support/engines/agent/scripted-turn';
import { validTranscript } from '#support/engines/agent/valid-transcript';
import { missingResults } from './mend-transcript.ts';

const user: Message = { role: 'user', content: [{ type: 'text', text: 'go' }] };
const { provider, model, protocol } = INFO;
const assistant = (...content: Extract<Message, { role: 'assistant' }>['content']): Message => ({
  role: 'assistant',
  content,
  origin: { provider, model, protocol },
});
const result = ({ id, name }: { id: string; name: string }): Message => ({
  role: 'tool',
  callId: id,
  name,
  content: [{ type: 'text', text: 'ok' }],
  isError: false,
});

describe('missingResults', () => {
  it('answers exactly the calls that have no result', () => {
    const calls = [call('a'), call('b'), call('c')] as const;
    const broken = [user, assistant({ type: 'text', text: 'so' }, ...calls), result(calls[1])];
    const missing = missingResults(broken);
    expect(missing.map(({ callId, name, isError }) => ({ callId, name, isError }))).toEqual([
      { callId: calls[0].id, name: 'a', isError: true },
      { callId: calls[2].id, name: 'c', isError: true },
    ]);
    expect(validTranscript(broken)).toHaveLength(2);
    expect(validTranscript([...broken, ...missing])).toEqual([]);
  });

  it('adds nothing to a whole conversation', () => {
    const asked = call('a');
    const done = assistant({ type: 'text', text: 'done' });
    expect(missingResults([])).toEqual([]);
    expect(missingResults([user])).toEqual([]);
    expect(missingResults([user, assistant(asked), result(asked)])).toEqual([]);
    expect(missingResults([user, assistant(asked), result(asked), done, user])).toEqual([]);
  });
});

describe('validTranscript', () => {
  it('sees open calls, orphans, double and late results', () => {
    const asked = call('a');
    expect(validTranscript([user, assistant(asked)])).toEqual([`call ${asked.id} has no result`]);
    expect(validTranscript([user, result(asked)])).toEqual([`result ${asked.id} has no open call`]);
    expect(validTranscript([assistant(asked), result(asked), result(asked)])).toHaveLength(1);
    expect(validTranscript([assistant(asked), user, result(asked)])).toHaveLength(2);
    expect(validTranscript([assistant()])).toEqual(['an assistant message is empty']);
  });
});
