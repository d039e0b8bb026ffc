import { posix } from 'node:path';
import type { SkillRoot } from '#spec/data';
import type { SkillFile, SkillFiles } from '#spec/ports';
import {
  openSkillLibrary,
  type SkillLibraryDeps,
} from '../../../../src/engines/skills/library/shelf/open-skill-library.ts';
import type { Available } from '../../../../src/engines/skills/library/shelf/why-hidden.ts';

/** A skill file for a test: `home:ops/check/SKILL.md`. */
function sampleFile(place: string, text: string): SkillFile {
  const [root, path] = place.split(':') as [SkillRoot, string];
  return { root, path, text, trust: root === 'builtin' ? 'builtin' : 'user', changedAt: 0 };
}

export const sampleText = (name: string, description: string, body = `# ${name}\n\nDo it.`): string =>
  `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n${body}\n`;

export const HERE: Available = {
  tools: new Set(['terminal']),
  toolsets: new Set(['shell']),
  platform: 'linux',
  variables: new Set(),
};

/** Files in memory, and how often they were looked at. */
export function sampleFiles(given: Readonly<Record<string, string>>): SkillFiles & { scans: number } {
  const texts = new Map(Object.entries(given));
  const isSkill = (place: string) => /(?:SKILL\.md|^\w+:[^/]*\.yaml)$/.test(place);
  const files = {
    scans: 0,
    scan: async () => {
      files.scans++;
      return [...texts].filter(([place]) => isSkill(place)).map(([place, text]) => sampleFile(place, text));
    },
    beside: async (root: SkillRoot, path: string) => {
      const folder = `${root}:${posix.dirname(path)}/`;
      return [...texts.keys()]
        .filter((place) => place.startsWith(folder) && place !== `${root}:${path}`)
        .map((place) => place.slice(folder.length));
    },
    read: async (root: SkillRoot, path: string) => {
      const text = texts.get(`${root}:${path}`);
      return text === undefined ? undefined : new TextEncoder().encode(text);
    },
    write: async (changes: readonly { readonly path: string; readonly text: string | undefined }[]) => {
      for (const { path, text } of changes) {
        if (text === undefined) texts.delete(`home:${path}`);
        else texts.set(`home:${path}`, text);
      }
    },
  };
  return files;
}

export const sampleLibrary = (
  given: Readonly<Record<string, string>>,
  rest: Partial<Omit<SkillLibraryDeps, 'files'>> = {},
) => openSkillLibrary({ files: sampleFiles(given), available: () => HERE, ...rest });
