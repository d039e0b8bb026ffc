import { userInfo } from 'node:os';
import { fail } from '#kit/app-error';
import type { Audience } from '#spec/data';
import type { MemoryView } from '#engines/memory';
import type { Dependencies } from '../dependencies.ts';

type Needs = Pick<Dependencies, 'database'>;

/** Who talks at this terminal. */
export function localAudience(): Audience {
  return { source: 'cli', user: userInfo().username, chat: 'terminal' };
}

/** Where nobody else listens. */
export const localView = (): MemoryView => ({ audience: localAudience(), shared: false });

/** The session that a person means: a whole id, the beginning of one, or part of a title. */
export async function findSession(deps: Needs, text: string): Promise<string> {
  const { sessions } = await deps.database();
  // A title may hold the id of another session: whoever names one means that.
  if (await sessions.get(text)) return text;
  const found = await sessions.list({ text, limit: 3 });
  if (found.length === 1 && found[0]) return found[0].id;
  const several = found.map(({ id, title }) => `${id} (${title ?? ''})`).join(', ');
  throw fail(
    'input.invalid',
    found.length ? `'${text}' may be any of ${several}` : `there is no session '${text}'`,
    'hermes sessions list',
  );
}
