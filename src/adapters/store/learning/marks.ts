import type { Marks } from '#spec/ports';
import type { Connection } from '../sqlite/connection.ts';
import type { WriteQueue } from '../sqlite/write-queue.ts';

export function marks(connection: Connection, queue: WriteQueue): Marks {
  const get = connection.prepare<[string], string>('SELECT value FROM marks WHERE name = ?').pluck();
  const set = connection.prepare(
    'INSERT INTO marks VALUES (@name, @value) ON CONFLICT (name) DO UPDATE SET value = @value',
  );
  const remove = connection.prepare('DELETE FROM marks WHERE name = ?');
  return {
    get: (name) =>
      queue.read((): unknown => {
        const value = get.get(name);
        return value === undefined ? undefined : JSON.parse(value);
      }),
    set: (name, value) =>
      queue.write(() => {
        if (value === undefined) remove.run(name);
        else set.run({ name, value: JSON.stringify(value) });
      }),
  };
}
