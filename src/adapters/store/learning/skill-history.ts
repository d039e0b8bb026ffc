import { SkillEdit, SkillUse, SkillVersion } from '#spec/data';
import type { SkillHistory } from '#spec/ports';
import type { Connection } from '../sqlite/connection.ts';
import type { WriteQueue } from '../sqlite/write-queue.ts';

const PUT_USE = `
  INSERT INTO uses (id, skill, version, at, body) VALUES (@id, @skill, @version, @at, @body)
  ON CONFLICT (id) DO UPDATE SET skill = @skill, version = @version, at = @at, body = @body`;

const USES = `
  SELECT body FROM uses
  WHERE (@skill IS NULL OR skill = @skill) AND (@version IS NULL OR version = @version) AND at >= @since
  ORDER BY at DESC, n DESC LIMIT @limit`;

const SUPERSEDE = `
  UPDATE versions SET state = 'superseded' WHERE skill = @skill AND state = 'active' AND version <> @version`;

const PUT_VERSION = `
  INSERT INTO versions (skill, version, state, at, body) VALUES (@skill, @version, @state, @at, @body)
  ON CONFLICT (skill, version) DO UPDATE SET state = @state, at = @at, body = @body`;

const EDITS = `
  SELECT body, undone FROM edits WHERE (@skill IS NULL OR skill = @skill) AND (@id IS NULL OR id = @id)
  ORDER BY at DESC, n DESC LIMIT @limit`;

/** Columns that change, `state` and `undone`, are the truth; what the body says of them is overlaid. */
export function skillHistory(connection: Connection, queue: WriteQueue): SkillHistory {
  const putUse = connection.prepare(PUT_USE);
  const uses = connection.prepare<[object], string>(USES).pluck();
  const supersede = connection.prepare(SUPERSEDE);
  const putVersion = connection.prepare(PUT_VERSION);
  const versions = connection.prepare<[string], { readonly body: string; readonly state: string }>(
    'SELECT body, state FROM versions WHERE skill = ? ORDER BY at DESC, n DESC',
  );
  const addEdit = connection.prepare(
    'INSERT INTO edits (id, skill, undone, at, body) VALUES (@id, @skill, @undone, @at, @body)',
  );
  const edits = connection.prepare<[object], { readonly body: string; readonly undone: number }>(EDITS);
  const undo = connection.prepare('UPDATE edits SET undone = 1 WHERE id = ? AND undone = 0');

  return {
    addUse: (use) =>
      queue.write(() => {
        const { id, skill, version, at } = use;
        putUse.run({ id, skill, version, at, body: JSON.stringify(use) });
      }),
    uses: ({ skill = null, version = null, since = Number.MIN_SAFE_INTEGER, limit }) =>
      queue.read(() =>
        uses.all({ skill, version, since, limit }).map((body) => SkillUse.parse(JSON.parse(body))),
      ),
    putVersion: (given) =>
      queue.write(() => {
        const { skill, version, state, at } = given;
        if (state === 'active') supersede.run({ skill, version });
        putVersion.run({ skill, version, state, at, body: JSON.stringify(given) });
      }),
    versions: (skill) =>
      queue.read(() =>
        versions
          .all(skill)
          .map(({ body, state }) => SkillVersion.parse({ ...(JSON.parse(body) as object), state })),
      ),
    addEdit: (edit) =>
      queue.write(() => {
        const { id, skill, undone, at } = edit;
        addEdit.run({ id, skill, undone: undone ? 1 : 0, at, body: JSON.stringify(edit) });
      }),
    edits: ({ skill = null, id = null, limit }) =>
      queue.read(() =>
        edits
          .all({ skill, id, limit })
          .map(({ body, undone }) =>
            SkillEdit.parse({ ...(JSON.parse(body) as object), undone: undone === 1 }),
          ),
      ),
    markUndone: (id) => queue.write(() => undo.run(id).changes === 1),
  };
}
