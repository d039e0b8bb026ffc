import { Taint } from '#spec/data';
import type { TaintBook } from '#spec/ports';
import type { Connection } from '../sqlite/connection.ts';
import type { WriteQueue } from '../sqlite/write-queue.ts';

export function taintBook(connection: Connection, queue: WriteQueue): TaintBook {
  const select = connection
    .prepare<[string], string>('SELECT taint FROM taints WHERE session = ? ORDER BY taint')
    .pluck();
  const insert = connection.prepare('INSERT OR IGNORE INTO taints (session, taint, at) VALUES (?, ?, ?)');
  return {
    read: (session) => queue.read(() => select.all(session).map((taint) => Taint.parse(taint))),
    add: (session, taint, at) => queue.write(() => insert.run(session, taint, at).changes === 1),
  };
}
