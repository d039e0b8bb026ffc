import type { Connection } from './connection.ts';

/** Keeps what has been shown of an answer until the answer itself is stored. */
export interface DraftKeeper {
  keep(session: string, text: string): void;
  take(session: string): string | undefined;
  clear(session: string): void;
}

export function draftKeeper(connection: Connection): DraftKeeper {
  const put = connection.prepare(
    'INSERT INTO drafts (session, text) VALUES (?, ?) ON CONFLICT (session) DO UPDATE SET text = excluded.text',
  );
  const get = connection.prepare<[string], string>('SELECT text FROM drafts WHERE session = ?').pluck();
  const remove = connection.prepare('DELETE FROM drafts WHERE session = ?');
  return {
    keep: (session, text) => {
      try {
        put.run(session, text);
      } catch (error) {
        // Another process is writing: the next piece of the answer brings this one along.
        if (!(error instanceof Error) || !('code' in error) || !String(error.code).startsWith('SQLITE_BUSY'))
          throw error;
      }
    },
    take: (session) => {
      const text = get.get(session);
      if (text !== undefined) remove.run(session);
      return text;
    },
    clear: (session) => void remove.run(session),
  };
}
