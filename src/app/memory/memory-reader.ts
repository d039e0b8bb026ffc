import { type MemoryView, scopesOf } from '#engines/memory';
import { fail } from '#kit/app-error';
import type { MemoryScope } from '#spec/data';
import { OWN_SOURCES } from '../sessions/own-sources.ts';

/** Who looks at the memory of a home through its server. */
export interface MemoryReader {
  /** Absent where several people share a token: then nothing is theirs. */
  readonly user?: string;
  /** Whoever owns the home sees all of it. */
  readonly owner: boolean;
  /** May add and take away rules of the house: an approver who is known to be a person. */
  readonly mayRule: boolean;
}

const TEAM: MemoryScope = 'team';

export const personOf = (source: string, user: string): MemoryScope => {
  const view: MemoryView = { audience: { source, user, chat: '' }, shared: false };
  return scopesOf(view)[0] as MemoryScope;
};

/** What is theirs alone, the console's first. */
export const ownScopes = ({ user }: MemoryReader): readonly MemoryScope[] =>
  user === undefined ? [] : OWN_SOURCES.map((source) => personOf(source, user));

/** What they see; undefined for all of it. */
export const seenScopes = (reader: MemoryReader): readonly MemoryScope[] | undefined =>
  reader.owner ? undefined : [...ownScopes(reader), TEAM];

export const sees = (reader: MemoryReader, scope: MemoryScope): boolean =>
  seenScopes(reader)?.includes(scope) ?? true;

/** Throws for a rule of the house that this reader may not change. */
export function mustRule({ mayRule }: MemoryReader, kind: unknown): void {
  if (kind === 'governance_rule' && !mayRule)
    throw fail(
      'input.forbidden',
      'Rules of the house are changed by somebody with the role approver, and a token that lies in the home does not show a person.',
      'Sign in as an approver, or with the link that `hermes console` prints at a terminal.',
    );
}

/** The same answer for what is not there and for what is somebody else's: nobody learns which ids there are. */
export const absent = (what: string) => fail('input.not_found', `There is no ${what} that you may see.`);
