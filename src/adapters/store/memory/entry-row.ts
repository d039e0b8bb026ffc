import { createHash } from 'node:crypto';
import type { MemoryEntry } from '#spec/data';

/** An entry as it lies in the file, with its scope by name and its accesses beside it. */
export interface EntryRow {
  readonly n: number;
  readonly id: string;
  readonly line: number;
  readonly scope: number;
  readonly scope_name: string;
  readonly kind: MemoryEntry['kind'];
  readonly key: string | null;
  readonly text: string;
  readonly context: string | null;
  readonly provenance: string;
  readonly trust: number;
  readonly at: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly expires_at: number | null;
  readonly version: number;
  readonly replaces: string | null;
  readonly state: MemoryEntry['state'];
  readonly accesses: number | null;
  readonly accessed_at: number | null;
}

/** To be followed by conditions on `e`. */
export const SELECT_ENTRIES = `
  SELECT e.*, s.name AS scope_name, u.accesses, u.at AS accessed_at
  FROM entries e CROSS JOIN scopes s ON s.n = e.scope LEFT JOIN uses u ON u.n = e.n`;

/** The state that an entry has at a moment: what has expired counts as forgotten. */
export const stateAt = ({ state, expires_at }: EntryRow, now: number): MemoryEntry['state'] =>
  state === 'active' && expires_at !== null && expires_at <= now ? 'forgotten' : state;

export function toEntry(row: EntryRow, now: number): MemoryEntry {
  return {
    id: row.id,
    scope: row.scope_name,
    kind: row.kind,
    ...(row.key === null ? {} : { key: row.key }),
    text: row.text,
    ...(row.context === null ? {} : { context: JSON.parse(row.context) as MemoryEntry['context'] }),
    provenance: JSON.parse(row.provenance) as MemoryEntry['provenance'],
    trust: row.trust,
    accesses: row.accesses ?? 0,
    ...(row.accessed_at === null ? {} : { accessedAt: row.accessed_at }),
    at: row.at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
    version: row.version,
    ...(row.replaces === null ? {} : { replaces: row.replaces }),
    state: stateAt(row, now),
  };
}

/** By which an entry that says the same is found. */
export const printOf = (scope: number, kind: string, text: string): Buffer =>
  createHash('sha256').update(`${scope}\n${kind}\n${text}`).digest().subarray(0, 12);
