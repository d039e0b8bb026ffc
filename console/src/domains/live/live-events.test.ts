import { afterEach, expect, it, vi } from 'vitest';
import { listenToFacts, type LiveState } from './live-events.ts';

class FakeSource extends EventTarget {
  readyState = 0;
  readonly address: string;
  constructor(address: string) {
    super();
    this.address = address;
  }
  close() {
    this.readyState = 2;
  }
  tell(type: string, data: unknown, lastEventId: string) {
    this.dispatchEvent(Object.assign(new Event(type), { data: JSON.stringify(data), lastEventId }));
  }
}

function listen() {
  const sources: FakeSource[] = [];
  const states: [LiveState, boolean][] = [];
  const heard: string[] = [];
  let refused = 0;
  const stop = listenToFacts(
    {
      onFact: ({ stream }) => heard.push(stream),
      onState: (state, again) => states.push([state, again]),
      onRefused: () => refused++,
    },
    (address) => {
      const source = new FakeSource(address);
      sources.push(source);
      return source as unknown as EventSource;
    },
  );
  const current = () => sources.at(-1) as FakeSource;
  return { sources, states, heard, stop, current, refused: () => refused };
}

afterEach(() => vi.useRealTimers());

it('hears facts and says when the line was lost', () => {
  const { states, heard, current, stop } = listen();
  current().dispatchEvent(new Event('open'));
  current().tell('rca.concluded', { stream: 'inc_1' }, '7');
  current().dispatchEvent(new Event('error'));
  current().dispatchEvent(new Event('open'));
  expect(heard).toEqual(['inc_1']);
  expect(states).toEqual([
    ['connecting', false],
    ['live', false],
    ['reconnecting', false],
    ['live', true],
  ]);
  stop();
  expect(current().readyState).toBe(2);
});

it('goes on after the last fact where the browser gave up', () => {
  vi.useFakeTimers();
  const { sources, current, refused, stop } = listen();
  current().tell('incident.created', { stream: 'inc_1' }, '41');
  current().readyState = 2;
  current().dispatchEvent(new Event('error'));
  expect(refused()).toBe(1);
  vi.advanceTimersByTime(1_000);
  expect(sources.map(({ address }) => address)).toEqual(['/api/events', '/api/events?after=41']);
  stop();
});
