import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLearningDatabase, openSessionDatabase, skillFiles } from '#adapters/store';
import { openLearning, trialShelf } from '#engines/learning';
import { judgeSkill, openSkillLibrary, skillWriter } from '#engines/skills';
import { openWorld } from './world.ts';

interface HomeOptions {
  readonly repair: boolean;
  readonly now: () => number;
  readonly newId: (prefix: string) => string;
}

/** Everything of the product that a run needs, with stores in a folder of its own. */
export async function openHome({ repair, now, newId }: HomeOptions) {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-learning-'));
  const sessions = await openSessionDatabase(join(folder, 'state.db'));
  const book = await openLearningDatabase(join(folder, 'learning.db'));
  const home = join(folder, 'skills');
  const files = skillFiles({ home, trustOf: (path) => (path.startsWith('learned/') ? 'own' : 'community') });
  const world = openWorld();
  const available = () => ({
    tools: new Set(world.tools.map(({ name }) => name)),
    toolsets: new Set(['ops']),
    platform: 'linux',
    variables: new Set<string>(),
  });
  const library = openSkillLibrary({ files, available, now });
  const pen = skillWriter({
    files,
    history: book.history,
    guard: judgeSkill,
    now,
    newId,
    wrote: () => library.refresh(),
  });
  const learning = openLearning({
    ...book,
    files,
    shelf: library,
    pen,
    now,
    newId,
    settings: { repair },
    trial: () => trialShelf(files, (worn) => openSkillLibrary({ files: worn, available, now })),
  });
  return {
    folder,
    sessions,
    history: book.history,
    files,
    world,
    library,
    pen,
    learning,
    close: async () => {
      await sessions.close();
      await book.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type BenchHome = Awaited<ReturnType<typeof openHome>>;
