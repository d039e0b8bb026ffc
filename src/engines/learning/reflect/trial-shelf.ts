import { fail } from '#kit/app-error';
import type { Skill } from '#spec/data';
import type { SkillFiles, SkillMatch } from '#spec/ports';
import type { SkillShelf } from '../learning-deps.ts';

/** A library in which texts can be tried on. Nothing is written. */
export interface TrialShelf {
  /** The skills as they are, but for one that has this text. */
  wear(skill: Skill, text: string): void;
  match(task: string): Promise<readonly SkillMatch[]>;
}

/** `open` makes a library over files, which is told to look again by `refresh`. */
export async function trialShelf(
  files: SkillFiles,
  open: (files: SkillFiles) => Pick<SkillShelf, 'match'> & { refresh(): void },
): Promise<TrialShelf> {
  const there = await files.scan();
  let worn: { readonly path: string; readonly root: string; readonly text: string } | undefined;
  const library = open({
    ...files,
    scan: async () =>
      there.map((file) =>
        file.path === worn?.path && file.root === worn.root ? { ...file, text: worn.text } : file,
      ),
    write: () => Promise.reject(fail('internal', 'A text that is tried on is not written.')),
  });
  return {
    wear: ({ path, root }, text) => {
      worn = { path, root, text };
      library.refresh();
    },
    match: async (task) => library.match(task, { limit: 1 }),
  };
}
