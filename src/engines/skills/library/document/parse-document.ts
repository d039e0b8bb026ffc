import { posix } from 'node:path';
import type { Skill } from '#spec/data';
import type { SkillFile } from '#spec/ports';
import { categoryOf } from './category-of.ts';
import { line, platformName, record, texts, variableNames } from './read-fields.ts';
import { readFrontmatter } from './read-frontmatter.ts';
import { splitFrontmatter } from './split-frontmatter.ts';

export const MOST_NAME = 64;
export const MOST_DESCRIPTION = 1_024;

/** A `SKILL.md` as a skill. Any text is one: what it does not say of itself is taken from its folder and its text. */
export function parseDocument(file: SkillFile): Omit<Skill, 'digest'> {
  const { yaml, body } = splitFrontmatter(file.text);
  const { fields } = yaml === undefined ? { fields: {} } : readFrontmatter(yaml);
  const all: Readonly<Record<string, unknown>> = fields;
  const metadata = record(all['metadata']);
  const hermes = record(metadata['hermes']);
  const triggers = record(all['triggers'] ?? all['trigger'] ?? hermes['triggers']);
  const prerequisites = record(all['prerequisites']);
  const folder = posix.basename(posix.dirname(file.path));
  const name = line(all['name']) ?? (folder === '.' ? undefined : folder) ?? heading(body) ?? 'skill';
  const includes = texts(all['includes'] ?? hermes['includes']);
  return {
    name: cut(name, MOST_NAME),
    form: 'document',
    description: cut(line(all['description']) ?? opening(body) ?? name, MOST_DESCRIPTION),
    version: line(all['version']) ?? line(metadata['version']) ?? '1.0.0',
    category: categoryOf(file.path) ?? line(hermes['category'] ?? all['category']) ?? 'general',
    tags: texts(hermes['tags'] ?? metadata['tags'] ?? all['tags']),
    root: file.root,
    path: file.path,
    trust: file.trust,
    triggers: {
      keywords: texts(Array.isArray(all['triggers']) ? all['triggers'] : triggers['keywords']),
      filePatterns: texts(triggers['file_patterns']),
      contextSignals: texts(triggers['context_signals']),
    },
    needs: {
      platforms: texts(all['platforms']).map(platformName),
      tools: texts(hermes['requires_tools']),
      toolsets: texts(hermes['requires_toolsets']),
      fallbackForTools: texts(hermes['fallback_for_tools']),
      fallbackForToolsets: texts(hermes['fallback_for_toolsets']),
      variables: [
        ...new Set([
          ...variableNames(all['required_environment_variables']),
          ...variableNames(prerequisites['env_vars'] ?? prerequisites['environment']),
        ]),
      ],
    },
    body,
    createdFrom: texts(all['created_from'] ?? hermes['created_from']),
    ...(includes.length > 0 ? { includes } : {}),
  };
}

const heading = (body: string): string | undefined => /^#{1,6}[ \t]+(\S.*)$/m.exec(body)?.[1]?.trim();

/** The first paragraph that is neither a heading nor code. */
function opening(body: string): string | undefined {
  const paragraphs = body.replace(/^```[\s\S]*?(?:^```|$(?![\s\S]))/gm, '').split(/\n\s*\n/);
  for (const paragraph of paragraphs) {
    const text = paragraph
      .split('\n')
      .filter((one) => !/^\s*(?:#{1,6}\s|[-=*_]{3,}\s*$)/.test(one))
      .join(' ')
      .replace(/\s+/g, ' ')
      .trim();
    if (text) return text;
  }
  return heading(body);
}

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1)}…`.toWellFormed();
