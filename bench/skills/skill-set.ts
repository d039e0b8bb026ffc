import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { SkillFile } from '#spec/ports';
import { MissingData } from '../bench.ts';

const Given = z.array(z.object({ name: z.string(), description: z.string(), body: z.string() }));
const Queries = z.array(z.object({ query: z.string(), gold: z.string() }));

/** Public skills, questions about some of them, and chat that is about none. */
export interface SkillSet {
  readonly targets: readonly SkillFile[];
  readonly distractors: readonly SkillFile[];
  readonly queries: z.infer<typeof Queries>;
  readonly negatives: readonly string[];
}

export function readSkillSet(folder: string): SkillSet {
  const read = (name: string): unknown => {
    const file = join(folder, name);
    if (!existsSync(file)) throw new MissingData(`${file} is not there: give the folder with --data`);
    return JSON.parse(readFileSync(file, 'utf8'));
  };
  const taken = new Set<string>();
  return {
    targets: Given.parse(read('targets.json')).map((skill) => asFile(skill, taken)),
    distractors: Given.parse(read('distractors.json')).map((skill) => asFile(skill, taken)),
    queries: Queries.parse(read('queries.json')),
    negatives: z.array(z.string()).parse(read('negatives.json')),
  };
}

/** Two of the same name would be one: the later one gets a number. */
function asFile({ name, description, body }: z.infer<typeof Given>[number], taken: Set<string>): SkillFile {
  const plain = name.replace(/@.*$/, '');
  let unique = plain;
  for (let count = 2; taken.has(unique); count++) unique = `${plain} ${count}`;
  taken.add(unique);
  const folder = unique.replace(/[^\p{L}\p{N}._-]+/gu, '-');
  const front = `---\nname: ${JSON.stringify(unique)}\ndescription: ${JSON.stringify(description)}\n---\n`;
  return {
    root: 'builtin',
    path: `public/${folder}/SKILL.md`,
    text: `${front}\n${body}\n`,
    trust: 'community',
    changedAt: 0,
  };
}
