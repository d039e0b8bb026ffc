import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readText } from '#adapters/store';
import type { PromptInputs } from '#engines/session';
import type { Logger } from '#spec/ports';
import type { Home } from './home.ts';

/** Project files in the order in which one is taken. */
const PROJECT_FILES = ['AGENTS.md', 'CLAUDE.md', '.cursorrules', '.github/copilot-instructions.md'];
const WORKSPACE_FILES = ['.hermes.md', 'HERMES.md'];

interface Needs {
  readonly home: Home;
  readonly log: Logger;
}

/** Reads what the prompt is made from, as it is now. */
export async function readPromptInputs(
  { home, log }: Needs,
  cwd: string,
): Promise<Pick<PromptInputs, 'soul' | 'agents' | 'hermes'>> {
  const text = async (path: string) => (await readText(path))?.trim() || undefined;
  const [soul, agents, hermes] = await Promise.all([
    text(home.file('SOUL.md')),
    firstFile(cwd, PROJECT_FILES, log),
    firstFile(cwd, WORKSPACE_FILES, log),
  ]);
  return {
    ...(soul ? { soul } : {}),
    ...(agents ? { agents } : {}),
    ...(hermes ? { hermes } : {}),
  };
}

/** The first of the names found, from the working folder up to the root of its repository. */
async function firstFile(
  cwd: string,
  names: readonly string[],
  log: Logger,
): Promise<{ name: string; text: string } | undefined> {
  for (const folder of upToRepository(cwd)) {
    for (const name of names) {
      const path = join(folder, name);
      const text = await readText(path).catch((thrown: unknown) =>
        log.warn('part.failed', { part: path, thrown }),
      );
      if (text?.trim()) return { name, text };
    }
  }
  return undefined;
}

function upToRepository(cwd: string): string[] {
  const folders = [cwd];
  for (let folder = cwd; !existsSync(join(folder, '.git')); ) {
    const parent = dirname(folder);
    if (parent === folder) return [cwd];
    folders.push(parent);
    folder = parent;
  }
  return folders;
}
