import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { skillFiles } from '#adapters/store';
import { openSkillLibrary } from '#engines/skills';
import type { SkillFile } from '#spec/ports';

/** Writes skills out as folders, reads them back and tells how many load, are listed and can be looked at. */
export async function writtenOut(
  files: readonly SkillFile[],
  say: (line: string) => void,
): Promise<{ readonly loaded: number; readonly viewed: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-skills-'));
  try {
    for (const { path, text } of files) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const library = openSkillLibrary({
      files: skillFiles({ builtin: folder, home: join(folder, 'none') }),
      available: () => ({ tools: new Set(), toolsets: new Set(), platform: 'linux', variables: new Set() }),
    });
    const all = await library.all();
    for (const { path, problem } of await library.problems()) say(`${path}: ${problem}`);
    let viewed = 0;
    for (const { name } of all) if ((await library.view(name)).text.length > 0) viewed++;
    return { loaded: all.length, viewed };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
