import { z } from 'zod';
import { defineTool, type Tool } from '#spec/ports';
import { shortDescription } from '../shelf/prompt-index.ts';
import { type SkillToolDeps, textResult } from './tool-deps.ts';

const MOST_LISTED = 100;
const MOST_FOUND = 10;

export const skillsList = ({ library }: Pick<SkillToolDeps, 'library'>): Tool =>
  defineTool({
    name: 'skills_list',
    toolset: 'skills',
    description: 'Lists skills (procedures for tasks), by category or best first for a query.',
    input: z.strictObject({ category: z.string().optional(), query: z.string().optional() }),
    effect: () => 0,
    footprint: () => ({ reads: ['skills:'] }),
    run: async ({ category, query }) => {
      const offered = await library.offered();
      const names = new Set(offered.map(({ name }) => name));
      const found = query?.trim()
        ? (await library.search(query, MOST_FOUND * 2)).map(({ skill }) => skill)
        : offered;
      const fitting = found.filter(
        (skill) =>
          names.has(skill.name) &&
          (category === undefined || `${skill.category}/`.startsWith(`${category}/`)),
      );
      const shown = fitting.slice(0, query ? MOST_FOUND : MOST_LISTED);
      const lines = shown.map((skill) => `${skill.category}/${skill.name}: ${shortDescription(skill)}`);
      if (shown.length < fitting.length && !query) {
        lines.push(`… and ${fitting.length - shown.length} more: give a category or a query`);
      }
      return textResult(
        lines.join('\n') || 'No skill fits.',
        `${fitting.length} skills`,
        shown.map(({ name, category: of, description }) => ({ name, category: of, description })),
      );
    },
  });
