import { posix } from 'node:path';
import type { SkillFile, SkillFiles } from '#spec/ports';

/** Skill files that are held in memory. */
export function memoryFiles(files: readonly SkillFile[]): SkillFiles {
  const texts = new Map(files.map((file) => [`${file.root} ${file.path}`, file]));
  return {
    scan: async () => [...texts.values()],
    beside: async (root, path) => {
      const folder = `${root} ${posix.dirname(path)}/`;
      return [...texts.keys()]
        .filter((key) => key.startsWith(folder) && key !== `${root} ${path}`)
        .map((key) => key.slice(folder.length));
    },
    read: async (root, path) => {
      const file = texts.get(`${root} ${path}`);
      return file && new TextEncoder().encode(file.text);
    },
    write: async (changes) => {
      for (const { path, text } of changes) {
        if (text === undefined) texts.delete(`home ${path}`);
        else texts.set(`home ${path}`, { root: 'home', path, text, trust: 'user', changedAt: 0 });
      }
    },
  };
}
