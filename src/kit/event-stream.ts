/** Events to iterate once, and a result to await. */
export interface EventStream<Event, Result> extends AsyncIterable<Event> {
  result(): Promise<Result>;
}

/**
 * Runs `produce` at once and queues what it emits until someone iterates.
 * `produce` must not throw: whoever makes a stream turns its failures into events and results first.
 */
export function eventStream<Event, Result>(
  produce: (emit: (event: Event) => void) => Promise<Result>,
): EventStream<Event, Result> {
  const queue: Event[] = [];
  let ended = false;
  let wake: (() => void) | undefined;
  const signal = () => {
    wake?.();
    wake = undefined;
  };
  const result = produce((event) => {
    queue.push(event);
    signal();
  }).finally(() => {
    ended = true;
    signal();
  });
  // Whoever asks for the result hears of it; nobody has to ask.
  result.catch(() => undefined);

  return {
    result: () => result,
    async *[Symbol.asyncIterator]() {
      let next = 0;
      for (;;) {
        while (next < queue.length) yield queue[next++] as Event;
        if (ended) return;
        queue.length = next = 0;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
