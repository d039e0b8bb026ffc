import { InboxMessage } from '#spec/data';
import type { Inbox } from '#spec/ports';
import type { Connection } from '../sqlite/connection.ts';
import type { WriteQueue } from '../sqlite/write-queue.ts';

interface Row {
  readonly state: InboxMessage['state'];
  readonly body: string;
}

/** The inbox of one home, beside its incidents. */
export function inboxOf(connection: Connection, queue: WriteQueue): Inbox {
  const add = connection.prepare<[string, string, number, string]>(
    'INSERT OR IGNORE INTO inbox (id, state, at, body) VALUES (?, ?, ?, ?)',
  );
  const list = connection.prepare<[object], Row>(
    'SELECT state, body FROM inbox WHERE @state IS NULL OR state = @state ORDER BY at DESC, n DESC LIMIT @limit',
  );
  const answered = connection.prepare<[string]>("UPDATE inbox SET state = 'answered' WHERE id = ?");
  return {
    add: ({ state, ...message }) =>
      queue.write(() => void add.run(message.id, state, message.at, JSON.stringify(message))),
    list: ({ state, limit }) =>
      queue.read(() =>
        list
          .all({ state: state ?? null, limit })
          .map((row) => InboxMessage.parse({ ...(JSON.parse(row.body) as object), state: row.state })),
      ),
    answered: (id) => queue.write(() => answered.run(id).changes > 0),
  };
}
