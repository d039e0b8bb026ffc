import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { cleanWrites } from './clean-writes.ts';

it('a text of JSON stays one, whatever cleaning takes out of it', () => {
  const connection = new Sqlite(':memory:');
  connection.exec('CREATE TABLE kept (body TEXT)');
  // It takes the quote that ends a text with it.
  cleanWrites(connection, (text) => text.replace(/hunter2"?/g, '***'));
  const write = connection.prepare('INSERT INTO kept VALUES (?)');
  write.run(JSON.stringify({ line: 'password hunter2', other: ['fine', 'hunter2'] }));
  write.run('hunter2"');
  const bodies = connection.prepare('SELECT body FROM kept').pluck().all() as string[];
  expect(JSON.parse(bodies[0] ?? '')).toEqual({ line: 'password ***', other: ['fine', '***'] });
  expect(bodies[1]).toBe('***');
});
