import type { ExperienceBook, Marks, SkillHistory } from '#spec/ports';
import type { Clean } from '../sqlite/clean-writes.ts';
import { openConnection, type Connection } from '../sqlite/connection.ts';
import { writeQueue, type WriteQueue } from '../sqlite/write-queue.ts';
import { experienceBook } from './experience-book.ts';
import { LEARNING_SCHEMA } from './learning-schema.ts';
import { skillHistory } from './skill-history.ts';

/** What was done in one home, and what became of its skills. Several processes may have the same file open. */
export interface LearningDatabase {
  readonly experiences: ExperienceBook;
  readonly history: SkillHistory;
  readonly marks: Marks;
  /** Waits for what is being written. Nothing may be called afterwards. */
  close(): Promise<void>;
}

const PATIENCE_MS = 15_000;

export async function openLearningDatabase(
  path: string,
  { patienceMs = PATIENCE_MS, clean }: { readonly patienceMs?: number; readonly clean?: Clean } = {},
): Promise<LearningDatabase> {
  const connection = await openConnection(path, LEARNING_SCHEMA, clean);
  const queue = writeQueue(connection, { path, store: 'learning' }, patienceMs);
  return {
    experiences: experienceBook(connection, queue),
    history: skillHistory(connection, queue),
    marks: marks(connection, queue),
    close: async () => {
      await queue.idle();
      connection.close();
    },
  };
}

function marks(connection: Connection, queue: WriteQueue): Marks {
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
