import type { GroupingRule } from '#spec/ports';
import type { Connection } from '../sqlite/connection.ts';

/** What people said of pairs of services. To be called within a transaction. */
export function groupingRules(connection: Connection) {
  const all = connection.prepare<[], string>('SELECT body FROM grouping_rules ORDER BY n').pluck();
  const add = connection.prepare('INSERT OR IGNORE INTO grouping_rules (id, body) VALUES (?, ?)');
  const remove = connection.prepare('DELETE FROM grouping_rules WHERE id = ?');
  return {
    list: (): GroupingRule[] => all.all().map((body) => JSON.parse(body) as GroupingRule),
    add: (rule: GroupingRule): void => void add.run(rule.id, JSON.stringify(rule)),
    remove: (id: string): boolean => remove.run(id).changes > 0,
  };
}
