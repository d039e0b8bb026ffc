import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

const MOST_EVENTS = 1_000;

/** The last events of a session, for a client that lost its stream and comes back. */
export function memoryEvents(): EventStore {
  const events: { readonly id: string; readonly stream: string; readonly message: JSONRPCMessage }[] = [];
  let last = 0;
  return {
    async storeEvent(stream, message) {
      const id = `${stream}_${++last}`;
      events.push({ id, stream, message });
      if (events.length > MOST_EVENTS) events.shift();
      return id;
    },
    getStreamIdForEventId: async (id) => events.find((event) => event.id === id)?.stream,
    async replayEventsAfter(lastEventId, { send }) {
      const at = events.findIndex(({ id }) => id === lastEventId);
      const stream = events[at]?.stream;
      if (stream === undefined) return '';
      const missed = events.slice(at + 1).filter((event) => event.stream === stream);
      for (const { id, message } of missed) if (Object.keys(message).length > 0) await send(id, message);
      return stream;
    },
  };
}
