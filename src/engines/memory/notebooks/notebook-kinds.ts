import type { MemoryKind, MemoryScope } from '#spec/data';
import { homeScope, type MemoryView, notebookFolder } from '../scopes.ts';

interface NotebookKind {
  readonly file: string;
  /** Characters that its entries may take together, with what stands between them. */
  readonly limit: number;
  readonly title: string;
  /** Its entries are of the kind that decides whose they are. */
  readonly holds: MemoryKind;
  /** Of everybody who works with this home: it lies beside the notebooks of whoever sits at this machine. */
  readonly team: boolean;
}

/** What the `memory` tool calls `target`. */
const NOTEBOOKS = {
  memory: { file: 'MEMORY.md', limit: 2200, title: 'MEMORY (your notes)', holds: 'fact', team: false },
  user: { file: 'USER.md', limit: 1375, title: 'USER (who the user is)', holds: 'preference', team: false },
  service: {
    file: 'SERVICE_PROFILE.md',
    limit: 2000,
    title: 'SERVICE PROFILE (services, dependencies, rules)',
    holds: 'service_profile',
    team: true,
  },
  fault: {
    file: 'FAULT_PATTERNS.md',
    limit: 1600,
    title: 'FAULT PATTERNS (what keeps coming back)',
    holds: 'fault_pattern',
    team: true,
  },
  habit: {
    file: 'TEAM_RUNBOOK_HABITS.md',
    limit: 1200,
    title: 'TEAM HABITS (approval, diagnosis, review)',
    holds: 'team_preference',
    team: true,
  },
} as const satisfies Record<string, NotebookKind>;

export type NotebookName = keyof typeof NOTEBOOKS;
export const NOTEBOOK_NAMES = Object.keys(NOTEBOOKS) as readonly NotebookName[];

/** Where a notebook lies for a conversation, and whose it is. */
export interface NotebookPlace extends NotebookKind {
  readonly name: NotebookName;
  readonly folder: string;
  readonly scope: MemoryScope;
}

/** In a group there is no notebook of a person: what is said about somebody there is a note of the group. */
export function placeOf(asked: NotebookName, view: MemoryView): NotebookPlace {
  const name = view.shared && asked === 'user' ? 'memory' : asked;
  const kind = NOTEBOOKS[name];
  return {
    ...kind,
    name,
    folder: kind.team ? '' : notebookFolder(view),
    scope: homeScope(kind.holds, view),
  };
}

/** The notebooks that a conversation reads. */
export const placesOf = (view: MemoryView): readonly NotebookPlace[] =>
  NOTEBOOK_NAMES.filter((name) => !(view.shared && name === 'user')).map((name) => placeOf(name, view));
