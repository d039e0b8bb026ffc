import type { Connection } from '../sqlite/connection.ts';
import { once } from '../sqlite/once.ts';
import type { VectorSets } from './vector-sets.ts';

export type FoundEntries = ReturnType<typeof foundEntries>;

interface Placed {
  readonly n: number;
  readonly scope: number;
}

/**
 * What the index has of an entry comes and goes with the entry being active. To be called within a transaction, where
 * the state of the entry changes.
 */
export function foundEntries(connection: Connection, vectors: VectorSets) {
  const count = connection.prepare('UPDATE scopes SET active = active + ? WHERE n = ?');
  const termsDue = connection.prepare('INSERT OR IGNORE INTO terms_due VALUES (?)');
  const vectorDue = connection.prepare('INSERT OR IGNORE INTO vectors_due VALUES (?)');
  const noTermsDue = connection.prepare('DELETE FROM terms_due WHERE n = ?');
  const noVectorDue = connection.prepare('DELETE FROM vectors_due WHERE n = ?');
  const indexed = once(() =>
    connection.prepare<[number], number>('SELECT 1 FROM search_docsize WHERE id = ?').pluck(),
  );
  const unindex = once(() => connection.prepare('DELETE FROM search WHERE rowid = ?'));
  const grow = connection.prepare('UPDATE index_state SET entries = entries + ?');
  const spaces = connection.prepare<[], number>('SELECT n FROM spaces').pluck();

  const dropTerms = (n: number): boolean => {
    if (indexed().get(n) === undefined) return false;
    unindex().run(n);
    grow.run(-1);
    return true;
  };
  const dropVector = ({ n, scope }: Placed): void => {
    for (const space of spaces.all()) if (vectors.remove(space, scope, n)) return;
  };

  return {
    enter: ({ n, scope }: Placed): void => {
      count.run(1, scope);
      termsDue.run(n);
      vectorDue.run(n);
    },
    leave: (entry: Placed): void => {
      count.run(-1, entry.scope);
      noTermsDue.run(entry.n);
      noVectorDue.run(entry.n);
      dropTerms(entry.n);
      dropVector(entry);
    },
    /** Makes room for terms: to be followed by their insertion. */
    takeTerms: (n: number): void => {
      noTermsDue.run(n);
      dropTerms(n);
      grow.run(1);
    },
    takeVector: (entry: Placed): void => {
      noVectorDue.run(entry.n);
      dropVector(entry);
    },
  };
}
