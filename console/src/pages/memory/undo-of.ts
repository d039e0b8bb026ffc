import type { NotebookChange, NotebookChanged } from '#spec/api';

/** The id that the server gives an entry of a notebook: it is made of its text. */
async function entryId(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .slice(0, 24);
}

/**
 * The change that takes another one back. Undefined where there is none: nothing changed, or more than one entry did,
 * because others had to leave. On a page that came over plain HTTP from another machine nothing can be taken back.
 */
export function undoOf({
  before,
  after,
  archived,
}: Pick<NotebookChanged, 'before' | 'after' | 'archived'>): (() => Promise<NotebookChange>) | undefined {
  const gone = before.filter((text) => !after.includes(text));
  const made = after.filter((text) => !before.includes(text));
  if (archived.length || gone.length > 1 || made.length > 1) return undefined;
  const [old] = gone;
  const [fresh] = made;
  if (fresh === undefined)
    return old === undefined ? undefined : () => Promise.resolve({ action: 'add', content: old });
  if (!('subtle' in crypto)) return undefined;
  return async () => {
    const entry = await entryId(fresh);
    return old === undefined ? { action: 'remove', entry } : { action: 'replace', entry, content: old };
  };
}
