import { fail } from '#kit/app-error';
import { newId } from '#kit/new-id';
import type { MemoryEntry } from '#spec/data';
import type { MemoryPatch, NewMemory } from '#spec/ports';
import type { Connection } from '../sqlite/connection.ts';
import { type EntryRow, stateAt, toEntry } from './entry-row.ts';
import type { EntryTable, NewRow } from './entry-table.ts';
import type { FoundEntries } from './found-entries.ts';

const DEFAULT_TRUST = 0.5;

/** How entries come to be and change. To be called within a transaction. */
export function entryWriter(connection: Connection, table: EntryTable, found: FoundEntries) {
  const setState = connection.prepare('UPDATE entries SET state = ?, updated_at = ? WHERE n = ?');
  const patchRow = connection.prepare(
    'UPDATE entries SET key = ?, trust = ?, expires_at = ?, state = ?, updated_at = ? WHERE n = ?',
  );
  const copyUses = connection.prepare('INSERT INTO uses SELECT ?, accesses, at FROM uses WHERE n = ?');

  const retire = (row: EntryRow, state: 'replaced' | 'forgotten', now: number): void => {
    if (row.state === 'active') found.leave(row);
    setState.run(state, now, row.n);
  };

  /** What has expired is forgotten for good: a later date alone does not bring it back. */
  const sweep = (now: number): void => {
    for (const row of table.expired(now)) retire(row, 'forgotten', now);
  };

  /** At most one entry of a scope and key is active, and at most one of a line. */
  const makeRoom = (scope: number, key: string | null, line: number, except: number, now: number): void => {
    const keyed = key === null ? undefined : table.keyed(scope, key);
    if (keyed && keyed.n !== except) retire(keyed, 'replaced', now);
    for (const row of table.inLine(line))
      if (row.state === 'active' && row.n !== except) retire(row, 'replaced', now);
  };

  const nextVersion = ({ line, version }: EntryRow): number =>
    (table.inLine(line)[0]?.version ?? version) + 1;

  const insert = (row: NewRow, before: EntryRow | undefined): EntryRow => {
    const n = table.insert(row);
    if (before) copyUses.run(n, before.n);
    if (row.state === 'active') found.enter({ n, scope: row.scope });
    return table.byNumber(n) as EntryRow;
  };

  const putOne = (memory: NewMemory, now: number): MemoryEntry => {
    const scope = table.scope(memory.scope);
    const known = memory.id === undefined ? undefined : table.byId(memory.id);
    if (known) {
      const same = known.scope === scope && known.text === memory.text;
      if (!same) throw fail('input.invalid', `There is another memory with the id ${memory.id}`);
      return toEntry(known, now);
    }
    const { before, same } = placeOf(memory, scope);
    if (same) return toEntry(same, now);
    if (before) makeRoom(scope, memory.key ?? null, before.line, 0, now);
    const version = before ? nextVersion(before) : 1;
    return toEntry(insert(newRow(memory, { scope, version, before, now }), before), now);
  };

  /** The active entry that says the same already, or the one whose place a new one takes. */
  const placeOf = ({ kind, key, text }: NewMemory, scope: number) => {
    const keyed = key === undefined ? undefined : table.keyed(scope, key);
    if (keyed) return keyed.kind === kind && keyed.text === text ? { same: keyed } : { before: keyed };
    const saying = table.saying(scope, kind, text);
    if (key === undefined) return { same: saying[0] };
    return { before: saying.find((row) => row.key === null) };
  };

  const changeOne = (row: EntryRow, patch: MemoryPatch, now: number): EntryRow => {
    const state = patch.state ?? stateAt(row, now);
    const key = 'key' in patch ? (patch.key ?? null) : row.key;
    const trust = patch.trust ?? row.trust;
    const expires = 'expiresAt' in patch ? (patch.expiresAt ?? null) : row.expires_at;
    const text = patch.text ?? row.text;
    const isNew = text !== row.text;
    if (state === 'active') makeRoom(row.scope, key, row.line, isNew ? 0 : row.n, now);
    if (isNew) {
      const version = nextVersion(row);
      const next = { ...row, text, key, trust, state, version, expires_at: expires, replaces: row.id };
      const made = insert({ ...next, id: newId('mem'), created_at: now, updated_at: now }, row);
      if (row.state !== 'replaced' && state !== 'active') retire(row, 'replaced', now);
      return made;
    }
    if (row.state === 'active' && state !== 'active') found.leave(row);
    patchRow.run(key, trust, expires, state, now, row.n);
    if (row.state !== 'active' && state === 'active') found.enter(row);
    return table.byNumber(row.n) as EntryRow;
  };

  return {
    put: (memories: readonly NewMemory[], now: number): readonly MemoryEntry[] => {
      sweep(now);
      return memories.map((memory) => putOne(memory, now));
    },
    change: (id: string, patch: MemoryPatch, now: number): MemoryEntry | undefined => {
      sweep(now);
      const row = table.byId(id);
      return row && toEntry(changeOne(row, patch, now), now);
    },
  };
}

interface Place {
  readonly scope: number;
  readonly version: number;
  readonly before: EntryRow | undefined;
  readonly now: number;
}

function newRow(memory: NewMemory, { scope, version, before, now }: Place): NewRow {
  return {
    id: memory.id ?? newId('mem'),
    line: before?.line,
    scope,
    kind: memory.kind,
    key: memory.key ?? null,
    text: memory.text,
    context: memory.context ? JSON.stringify(memory.context) : null,
    provenance: JSON.stringify(memory.provenance),
    trust: memory.trust ?? DEFAULT_TRUST,
    at: memory.at,
    created_at: now,
    updated_at: now,
    expires_at: memory.expiresAt ?? null,
    version,
    replaces: before?.id ?? null,
    state: 'active',
  };
}
