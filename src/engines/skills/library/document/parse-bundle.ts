import { posix } from 'node:path';
import type { Skill } from '#spec/data';
import type { SkillFile } from '#spec/ports';
import { categoryOf } from './category-of.ts';
import { line, record, texts } from './read-fields.ts';
import { readFrontmatter } from './read-frontmatter.ts';

/** A YAML file with `bundle:` at its top: several skills under one name. Undefined for any other file. */
export function parseBundle(file: SkillFile): Omit<Skill, 'digest'> | undefined {
  if (!/^bundle:/m.test(file.text)) return undefined;
  const bundle = record(readFrontmatter(file.text).fields['bundle']);
  const includes = texts(bundle['skills'] ?? bundle['includes']);
  if (includes.length === 0) return undefined;
  const name = line(bundle['name']) ?? posix.basename(file.path).replace(/\.ya?ml$/i, '');
  const instruction = line(bundle['instruction']);
  return {
    name,
    form: 'document',
    description: line(bundle['description']) ?? `Loads ${includes.join(', ')} together`,
    version: line(bundle['version']) ?? '1.0.0',
    category: categoryOf(file.path) ?? 'bundles',
    tags: texts(bundle['tags']),
    root: file.root,
    path: file.path,
    trust: file.trust,
    triggers: { keywords: texts(bundle['keywords']), filePatterns: [], contextSignals: [] },
    needs: {
      platforms: [],
      tools: [],
      toolsets: [],
      fallbackForTools: [],
      fallbackForToolsets: [],
      variables: [],
    },
    body: instruction ?? '',
    createdFrom: [],
    includes,
  };
}
