import { StagedWrite } from '#spec/data';
import type { StagedWrites } from '#spec/ports';
import type { Connection } from '../sqlite/connection.ts';
import type { WriteQueue } from '../sqlite/write-queue.ts';

export function stagedWrites(connection: Connection, queue: WriteQueue): StagedWrites {
  const insert = connection.prepare('INSERT INTO staged (id, scope, body) VALUES (?, ?, ?)');
  const list = connection
    .prepare<[string], string>(
      'SELECT body FROM staged WHERE scope IN (SELECT value FROM json_each(?)) ORDER BY n',
    )
    .pluck();
  const all = connection.prepare<[], string>('SELECT body FROM staged ORDER BY n').pluck();
  const take = connection.prepare<[string], string>('DELETE FROM staged WHERE id = ? RETURNING body').pluck();
  const parse = (body: string): StagedWrite => StagedWrite.parse(JSON.parse(body));
  return {
    add: (write) => queue.write(() => void insert.run(write.id, write.scope, JSON.stringify(write))),
    list: (scopes) => queue.read(() => (scopes ? list.all(JSON.stringify(scopes)) : all.all()).map(parse)),
    take: (id) =>
      queue.write(() => {
        const body = take.get(id);
        return body === undefined ? undefined : parse(body);
      }),
  };
}
