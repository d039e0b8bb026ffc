import { randomUUID } from 'node:crypto';
import type {
  McpServer,
  WebStandardStreamableHTTPServerTransport,
  EventStore,
  JSONRPCMessage,
} from '@modelcontextprotocol/server';

const MOST_SESSIONS = 64;
const IDLE_MS = 30 * 60_000;
const RETRY_MS = 1_000;

interface Session {
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  usedAt: number;
}

/** Clients of revisions before 2026-07-28 have a session, in which the server may turn to them. */
export function legacySessions(
  build: () => Promise<McpServer>,
  sdk: { readonly WebStandardStreamableHTTPServerTransport: typeof WebStandardStreamableHTTPServerTransport },
): { answer(request: Request): Promise<Response>; close(): Promise<void> } {
  const sessions = new Map<string, Session>();
  const drop = async (id: string): Promise<void> => {
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.server.close();
  };
  const makeRoom = async (): Promise<void> => {
    const idle = [...sessions].filter(([, { usedAt }]) => usedAt < Date.now() - IDLE_MS);
    const oldest = [...sessions].toSorted(([, a], [, b]) => a.usedAt - b.usedAt);
    const crowded = oldest.slice(0, Math.max(0, sessions.size - MOST_SESSIONS + 1));
    for (const [id] of [...idle, ...crowded]) await drop(id);
  };
  const open = async (request: Request): Promise<Response> => {
    await makeRoom();
    const server = await build();
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: memoryEvents(),
      retryInterval: RETRY_MS,
      onsessioninitialized: (id) => void sessions.set(id, { server, transport, usedAt: Date.now() }),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    if (transport.sessionId === undefined) await server.close();
    return response;
  };
  return {
    async answer(request) {
      const id = request.headers.get('mcp-session-id');
      if (id === null) return open(request);
      const session = sessions.get(id);
      if (!session) return Response.json({ error: 'no such session' }, { status: 404 });
      session.usedAt = Date.now();
      return session.transport.handleRequest(request);
    },
    async close() {
      await Promise.all([...sessions.keys()].map(drop));
    },
  };
}

const MOST_EVENTS = 1_000;

/** The last events of a session, for a client that lost its stream and comes back. */
function memoryEvents(): EventStore {
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
