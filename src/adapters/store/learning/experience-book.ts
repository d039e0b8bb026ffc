import { Experience } from '#spec/data';
import type { ExperienceBook } from '#spec/ports';
import type { Connection } from '../sqlite/connection.ts';
import type { WriteQueue } from '../sqlite/write-queue.ts';

const LIST = `
  SELECT body FROM experiences
  WHERE (@ids IS NULL OR id IN (SELECT value FROM json_each(@ids)))
    AND (@scopes IS NULL OR scope IN (SELECT value FROM json_each(@scopes)))
    AND (@skill IS NULL OR skill = @skill)
    AND at >= @since
  ORDER BY at DESC, n DESC LIMIT @limit`;

export function experienceBook(connection: Connection, queue: WriteQueue): ExperienceBook {
  const put = connection.prepare(`
    INSERT INTO experiences (id, scope, skill, at, body) VALUES (@id, @scope, @skill, @at, @body)
    ON CONFLICT (id) DO UPDATE SET scope = @scope, skill = @skill, at = @at, body = @body`);
  const list = connection.prepare<[object], string>(LIST).pluck();
  const count = connection.prepare<[], number>('SELECT count(*) FROM experiences').pluck();
  return {
    add: (experience) =>
      queue.write(() => {
        const { id, scope, skill, at } = experience;
        put.run({ id, scope, skill: skill?.name ?? null, at, body: JSON.stringify(experience) });
      }),
    list: ({ ids, scopes, skill = null, since = Number.MIN_SAFE_INTEGER, limit }) =>
      queue.read(() =>
        list
          .all({ ids: asList(ids), scopes: asList(scopes), skill, since, limit })
          .map((body) => Experience.parse(JSON.parse(body))),
      ),
    count: () => queue.read(() => count.get() ?? 0),
  };
}

const asList = (values: readonly string[] | undefined): string | null =>
  values ? JSON.stringify(values) : null;
