import type { Problem } from './check.ts';
import type { Connection } from './connection.ts';
import { type MessageRow, parseMessage } from './message-row.ts';

interface Row extends Pick<MessageRow, 'n' | 'role' | 'meta' | 'content'> {
  readonly session: string;
}

interface BrokenGroup extends Problem {
  /** Keys of the messages that cannot be sent as they are. */
  readonly keys: readonly number[];
}

/**
 * Active messages that no model would accept: results without their call, and calls without their result. In the
 * last group of a session calls may still wait for theirs.
 */
export function brokenToolGroups(connection: Connection): BrokenGroup[] {
  const rows = connection
    .prepare<[], Row>(`
      SELECT m.n, s.id AS session, m.role, m.meta, m.content FROM messages m JOIN sessions s ON s.n = m.session
      WHERE m.state = 'active' AND (m.role = 'tool' OR m.role = 'user' OR m.content LIKE '%"tool_call"%')
      ORDER BY m.session, m.position, m.n`)
    .iterate();
  const broken: BrokenGroup[] = [];
  let group: OpenGroup | undefined;
  const closeGroup = () => {
    if (group && group.waiting.size > 0) {
      const detail = `${group.waiting.size} tool calls have no result`;
      broken.push({ kind: 'tools', session: group.session, detail, keys: group.keys });
    }
    group = undefined;
  };
  for (const row of rows) {
    const { n, session } = row;
    if (group && group.session !== session) group = undefined;
    const message = parseMessage(row);
    if (message.role !== 'tool') closeGroup();
    if (message.role === 'assistant') {
      const calls = message.content.flatMap((part) => (part.type === 'tool_call' ? [part.id] : []));
      if (calls.length > 0) group = { session, keys: [n], waiting: new Set(calls) };
    } else if (message.role === 'tool') {
      if (group?.waiting.delete(message.callId)) group.keys.push(n);
      else
        broken.push({
          kind: 'tools',
          session,
          detail: `${message.name}: a result without its call`,
          keys: [n],
        });
    }
  }
  return broken;
}

interface OpenGroup {
  readonly session: string;
  readonly keys: number[];
  readonly waiting: Set<string>;
}
