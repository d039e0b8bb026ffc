import type { ShownMessage } from '#spec/api';

/**
 * Puts results with the calls that they answer. `shown` are the messages that stand by themselves; a result whose call
 * is not there is one of them. Of a call that was answered twice (shortened by compaction) the one that holds is taken.
 */
export function pairResults(messages: readonly ShownMessage[]): {
  readonly shown: readonly ShownMessage[];
  readonly results: ReadonlyMap<string, ShownMessage>;
} {
  const calls = new Set(
    messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool_call' ? [part.id] : []))),
  );
  const results = new Map<string, ShownMessage>();
  for (const message of messages) {
    if (message.call === undefined || !calls.has(message.call)) continue;
    const known = results.get(message.call);
    if (!known || known.state !== 'active') results.set(message.call, message);
  }
  const taken = new Set(results.values());
  return {
    shown: messages.filter(
      (message) => !taken.has(message) && !(message.call !== undefined && results.has(message.call)),
    ),
    results,
  };
}
