import { describe, expect, it } from 'vitest';
import type { AssistantPart, FrozenPrefix, Message } from '#spec/data';
import { memoryStores } from '#support/engines/session/memory-stores';
import { SessionState } from './session-state.ts';

const PREFIX: FrozenPrefix = { system: [{ text: 'You are Hermes.' }], tools: [] };
const AUDIENCE = { source: 'cli', user: 'u', chat: 'c' };
const ORIGIN = { provider: 'p', model: 'm', protocol: 'chat_completions' } as const;
const SPENT = { input: 10, output: 2, cacheRead: 5, cacheWrite: 1, reasoning: 0 };

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const assistant = (...content: AssistantPart[]): Message => ({ role: 'assistant', content, origin: ORIGIN });
const says = (text: string): Message => assistant({ type: 'text', text });
const asks = (...ids: string[]): Message =>
  assistant(...ids.map((id): AssistantPart => ({ type: 'tool_call', id, name: 'read', arguments: '{}' })));
const result = (callId: string): Message => ({
  role: 'tool',
  callId,
  name: 'read',
  content: [{ type: 'text', text: 'ok' }],
  isError: false,
});

async function begun(...messages: readonly Message[]) {
  const stores = memoryStores();
  let clock = 1_000;
  const now = () => clock++;
  const state = SessionState.begin(stores, AUDIENCE, '/work', now);
  await state.start(PREFIX);
  for (const message of messages) await state.append([state.entry(message, 1)], []);
  const resume = async () => (await SessionState.resume(stores, state.session.id, now)) as SessionState;
  return { stores, state, resume, now };
}

const texts = ({ messages }: SessionState) =>
  messages.map(({ message }) =>
    message.content.map((part) => (part.type === 'text' ? part.text : part.type)).join(),
  );

describe('a new session', () => {
  it('is not stored before something is said in it', async () => {
    const stores = memoryStores();
    const state = SessionState.begin(stores, AUDIENCE, '/work', () => 7);
    await state.name('early title');
    expect(stores.rows.size).toBe(0);
    expect(state).toMatchObject({ started: false, turn: 0, seq: 0 });
    await state.start(PREFIX);
    expect(stores.rows.get(state.session.id)).toMatchObject({
      session: { ...AUDIENCE, cwd: '/work', title: 'early title', createdAt: 7 },
      prefix: PREFIX,
    });
  });

  it('adds up what was spent, here as in the store', async () => {
    const { state, stores } = await begun(user('hi'));
    await state.append([state.entry(says('a'), 1, { usage: SPENT, cost: 0.5 })], []);
    await state.append([state.entry(says('b'), 1, { usage: SPENT, cost: 0.25 })], []);
    expect(state.session).toMatchObject({
      usage: { input: 20, output: 4, cacheRead: 10, cacheWrite: 2 },
      cost: 0.75,
      messages: 3,
    });
    const { usage, cost, messages } = state.session;
    expect(stores.rows.get(state.session.id)?.session).toMatchObject({ usage, cost, messages });
  });
});

describe('events', () => {
  it('are numbered without gaps, as in the store, also after a resume', async () => {
    const { state, stores, resume } = await begun();
    const first = await state.append(
      [state.entry(user('hi'), 1)],
      [{ type: 'turn.started', data: { turn: 1 } }],
    );
    const second = await state.replace([], 'archived', [], [{ type: 'context.compacted', data: {} }]);
    const again = await resume();
    const third = await again.append([again.entry(says('a'), 1)], []);
    const events = [...first, ...second, ...third];
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    expect(events.map(({ seq, type, data }) => ({ seq, type, data }))).toEqual(
      await stores.factsOf(state.session.id),
    );
    expect(events.every(({ stream }) => stream === state.session.id)).toBe(true);
  });

  it('are numbered as in the store when they are written side by side', async () => {
    const { state, stores } = await begun();
    const batches = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        state.append([state.entry(user(`${i}`), 1)], [{ type: 'x', data: i }]),
      ),
    );
    expect(batches.flat().map(({ seq, type, data }) => ({ seq, type, data }))).toEqual(
      await stores.factsOf(state.session.id),
    );
  });
});

describe('resume', () => {
  it('gives back everything, and the prefix byte for byte', async () => {
    const { state, resume } = await begun(user('hi'), says('hello'));
    const todos = [{ text: 'one', state: 'active' as const }];
    await state.append([], [{ type: 'plan.changed', data: { todos } }]);
    await state.append([], [{ type: 'usage.recorded', data: { context: 70, window: 100 } }]);
    const again = await resume();
    expect(again.messages).toEqual(state.messages);
    expect(JSON.stringify(again.prefix)).toBe(JSON.stringify(PREFIX));
    expect(again).toMatchObject({ todos, context: { used: 70, window: 100 }, seq: state.seq, turn: 1 });
  });

  it('knows nothing of an unknown id', async () => {
    const { stores, now } = await begun();
    expect(await SessionState.resume(stores, 'ses_none', now)).toBeUndefined();
  });

  it('answers the calls that were open when the process was killed', async () => {
    const { resume } = await begun(user('hi'), asks('c1', 'c2'), result('c2'));
    const again = await resume();
    expect(again.history().slice(2)).toMatchObject([{ callId: 'c2' }, { callId: 'c1', isError: true }]);
    expect((await resume()).messages).toEqual(again.messages);
  });

  it('keeps what was shown of an answer that never became complete', async () => {
    const { state, stores, resume } = await begun(user('hi'));
    await state.answeredBy('openrouter/a/b');
    stores.transcript.draft(state.session.id, 'The pool is');
    const again = await resume();
    expect(again.history().at(-1)).toMatchObject({
      content: [{ text: 'The pool is' }],
      origin: { provider: 'openrouter', model: 'a/b' },
    });
    expect(again.turn).toBe(1);
    expect(texts(await resume())).toEqual(['hi', 'The pool is']);
  });

  it('takes a draft whose author is not known for the operator’s', async () => {
    const { state, stores, resume } = await begun(user('hi'));
    stores.transcript.draft(state.session.id, 'The');
    expect((await resume()).history().at(-1)).toMatchObject({
      origin: { provider: 'local', model: 'operator' },
    });
  });

  it('answers open calls before anything else is said', async () => {
    const { state, stores, resume } = await begun(user('hi'), asks('c1'));
    stores.transcript.draft(state.session.id, 'Then');
    expect((await resume()).history().map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
    ]);
  });

  it('is not in the way of a draft that the complete answer replaced', async () => {
    const { state, stores, resume } = await begun(user('hi'));
    stores.transcript.draft(state.session.id, 'hel');
    await state.append([state.entry(says('hello'), 1)], []);
    expect(texts(await resume())).toEqual(['hi', 'hello']);
  });
});

describe('fork', () => {
  it('shares everything said so far and goes its own way', async () => {
    const { state, stores, now } = await begun(user('hi'), says('hello'));
    await state.name('greeting');
    const copy = await state.fork();
    await copy.append([copy.entry(user('left'), 2)], []);
    await state.append([state.entry(user('right'), 2)], []);
    expect(texts(copy)).toEqual(['hi', 'hello', 'left']);
    expect(texts(state)).toEqual(['hi', 'hello', 'right']);
    expect(copy.session).toMatchObject({
      title: 'greeting (fork)',
      parent: { id: state.session.id, seq: 2 },
      messages: 3,
      cost: 0,
    });
    expect(copy.prefix).toEqual(PREFIX);
    const ids = [...state.messages, ...copy.messages].map(({ id }) => id);
    expect(new Set(ids).size).toBe(6);
    expect(texts((await SessionState.resume(stores, copy.session.id, now)) as SessionState)).toEqual(
      texts(copy),
    );
  });

  it('takes the plan along, also into its own store', async () => {
    const { state, stores, now } = await begun(user('hi'));
    state.todos = [{ text: 'one', state: 'pending' }];
    const copy = await state.fork();
    expect(copy.todos).toEqual(state.todos);
    expect((await SessionState.resume(stores, copy.session.id, now))?.todos).toEqual(state.todos);
  });

  it('leaves out what was taken back, and copies a digest as one', async () => {
    const { state } = await begun(user('a'), says('b'), user('c'));
    await state.replace([state.messages[2]?.id ?? ''], 'undone', [], []);
    const [first, second] = state.messages;
    const entry = state.entry(user('digest'), 1, { kind: 'digest', position: second?.position ?? 0 });
    await state.replace([first?.id ?? '', second?.id ?? ''], 'archived', [entry], []);
    const copy = await state.fork();
    expect(copy.messages.map(({ kind, message }) => [kind, message])).toEqual([['digest', user('digest')]]);
  });
});

describe('replace', () => {
  it('puts messages away without losing them', async () => {
    const { state, stores } = await begun(user('a'), says('b'), user('c'));
    const ids = state.messages.slice(0, 2).map(({ id }) => id);
    const entry = state.entry(user('digest'), 1, { kind: 'digest', position: 2 });
    await state.replace(ids, 'archived', [entry], []);
    expect(texts(state)).toEqual(['digest', 'c']);
    expect(stores.all(state.session.id).map(({ state: at }) => at)).toEqual([
      'archived',
      'archived',
      'active',
      'active',
    ]);
  });
});
