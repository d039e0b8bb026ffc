import { z } from 'zod';
import type { NotebookFiles } from '#spec/ports';
import type { NotebookPlace } from './notebook-kinds.ts';

const Versions = z.array(
  z.object({
    version: z.int().positive(),
    /** When an edit made something else of it. */
    until: z.number(),
    entries: z.array(z.string()),
  }),
);

/** A notebook as it was before an edit. */
export type NotebookVersion = Readonly<z.infer<typeof Versions>[number]>;

const MOST = 20;

/**
 * What notebooks were before their last edits, in a file beside each. Kept before the edit is written: one that fails
 * leaves a version too many, which is the same as the notebook.
 */
export function notebookHistory(files: NotebookFiles) {
  const edit = (
    { folder, file }: NotebookPlace,
    change: (known: readonly NotebookVersion[]) => readonly NotebookVersion[] | undefined,
  ) =>
    files.edit(folder, fileOf(file), (text) => {
      const changed = change(versionsIn(text));
      return changed && (changed.length ? `${JSON.stringify(changed)}\n` : '');
    });
  return {
    /** Newest first. */
    read: async ({ folder, file }: NotebookPlace): Promise<readonly NotebookVersion[]> =>
      versionsIn((await files.read(folder, fileOf(file))) ?? '').toReversed(),
    keep: async (place: NotebookPlace, entries: readonly string[], until: number): Promise<void> => {
      await edit(place, (known) => {
        const last = known.at(-1);
        if (last && same(last.entries, entries)) return undefined;
        const version = (last?.version ?? 0) + 1;
        return [...known, { version, until, entries: [...entries] }].slice(-MOST);
      });
    },
    erase: async (place: NotebookPlace): Promise<void> => {
      await edit(place, () => []);
    },
  };
}

export const same = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((entry, at) => entry === others[at]);

const fileOf = (notebook: string): string => notebook.replace(/\.md$/, '.history.json');

/** A file that is not whole has no history: it begins anew. */
function versionsIn(text: string): readonly NotebookVersion[] {
  try {
    return Versions.safeParse(JSON.parse(text)).data ?? [];
  } catch (cause) {
    if (cause instanceof SyntaxError) return [];
    throw cause;
  }
}
