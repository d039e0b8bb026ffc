import type { Conversation, TurnResult } from '#app/conversation';
import { type EventStream, eventStream } from '#kit/event-stream';
import { sleep } from '#kit/sleep';
import type { AgentEvent, Message, StoredMessage, UserPart } from '#spec/data';
import type { AskUser } from '#spec/ports';
import { scripts } from './scripts.ts';
import type { Stage } from './stage.ts';

const NONE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

/** A conversation that plays a script for what is said to it. The first word of a message names the script. */
export function scriptedConversation(past: readonly Message[] = []): Conversation {
  const stored: StoredMessage[] = [];
  const total = { usage: NONE, cost: 0 };
  const context = { used: 8_000, window: 100_000 };
  let steering: string[] = [];
  let ask: AskUser = () => Promise.resolve(undefined);
  let turn = 0;
  const record = (message: Message) => {
    const seq = stored.length + 1;
    const place = { id: `m${seq}`, session: 's_harness', seq, position: seq, turn, at: 0 };
    stored.push({ ...place, state: 'active', kind: 'plain', message });
  };
  for (const message of past) record(message);

  const play = (said: string, signal: AbortSignal): EventStream<AgentEvent, TurnResult> =>
    eventStream(async (push) => {
      let seq = 0;
      const emit: Stage['emit'] = (type, data) =>
        push({ id: `e${++seq}`, seq, at: new Date().toISOString(), stream: 's', type, data } as AgentEvent);
      turn++;
      emit('turn.started', { turn, text: said });
      record({ role: 'user', content: [{ type: 'text', text: said }] });
      const takeSteering = () => steering.splice(0);
      const stage = makeStage(said, signal, emit, { ask: (...asked) => ask(...asked), takeSteering, record });
      const script = scripts[said.split(/\s/)[0] ?? ''] ?? scripts.echo;
      const error = await script?.(stage);
      context.used += 9_000;
      total.cost += 0.0123;
      const status = signal.aborted ? 'aborted' : error ? 'failed' : 'done';
      emit('turn.ended', { turn, status, calls: 1, ...(error ? { error } : {}) });
      return { status, calls: 1, leftover: takeSteering() };
    });

  return {
    session: {
      id: 's_harness',
      source: 'cli',
      user: 'u',
      chat: 'c',
      title: 'checkout latency',
      createdAt: 0,
      updatedAt: 0,
      messages: 0,
      usage: NONE,
      cost: 0,
    },
    model: 'openai/gpt-5',
    context,
    total,
    messages: () => Promise.resolve(stored),
    send: (content, signal) => play(wordsOf(content), signal),
    steer: (words) => {
      steering = [...steering, words];
    },
    onAsk: (next) => {
      ask = next;
    },
    commands: [
      { name: '/help', summary: 'what can be done', usage: '' },
      { name: '/history', summary: 'what was said', usage: '' },
      { name: '/new', summary: 'begin anew', usage: '' },
      { name: '/title', summary: 'name the conversation', usage: '[title]' },
      { name: '/quit', summary: 'leave', usage: '' },
    ],
    command: (line) => {
      if (line.startsWith('/quit')) return Promise.resolve({ text: '', leave: true });
      const next = { question: 'Really?', line: '/title yes' };
      return Promise.resolve({ text: `ran **${line}**`, ...(line === '/new' ? { next } : {}) });
    },
  };
}

const wordsOf = (content: readonly UserPart[]) =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');

function makeStage(
  said: string,
  signal: AbortSignal,
  emit: Stage['emit'],
  host: { ask: AskUser; takeSteering: () => string[]; record: (message: Message) => void },
): Stage {
  const wait = (ms: number) => sleep(ms, signal);
  return {
    said,
    signal,
    emit,
    wait,
    ask: host.ask,
    steering: host.takeSteering,
    record: host.record,
    text: async (words, pieces = 40, ms = 5) => {
      const size = Math.max(1, Math.ceil(words.length / pieces));
      for (let i = 0; i < words.length && !signal.aborted; i += size) {
        emit('text.delta', { text: words.slice(i, i + size) });
        if (!(await wait(ms))) return;
      }
    },
    tool: async (call, name, input, ms, summary, failed = false) => {
      emit('tool.started', { call, name, arguments: JSON.stringify(input) });
      if (!(await wait(ms / 2))) return;
      emit('tool.update', { call, text: 'half way' });
      if (!(await wait(ms / 2))) return;
      emit('tool.ended', { call, name, isError: failed, ms, summary });
      const content: UserPart[] = [{ type: 'text', text: `first line of ${name}\nsecond line` }];
      host.record({ role: 'tool', callId: call, name, content, isError: failed });
    },
  };
}
