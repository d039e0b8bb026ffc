import { z } from 'zod';
import { defineTool, type Tool } from '#spec/ports';
import { type SkillToolDeps, textResult } from './tool-deps.ts';

const MOST_CHARS = 60_000;

export const skillView = ({ library }: Pick<SkillToolDeps, 'library'>): Tool =>
  defineTool({
    name: 'skill_view',
    toolset: 'skills',
    description: 'Shows a skill, or a file beside it. Read a skill before you follow it.',
    input: z.strictObject({ name: z.string(), file: z.string().optional() }),
    effect: () => 0,
    footprint: ({ name }) => ({ reads: [`skills:${name}`] }),
    maxChars: MOST_CHARS,
    run: async ({ name, file }) => {
      const { skill, text, files, unset } = await library.view(name, file);
      if (file !== undefined) return textResult(text, `${skill.name}: ${file}`);
      const notes = [
        ...(skill.includes ? [`Bundle of: ${skill.includes.join(', ')}`] : []),
        ...(skill.form === 'workflow' ? [`Runs by itself: skill_run(${JSON.stringify(skill.name)})`] : []),
        ...(unset.length > 0 ? [`Not set: ${unset.join(', ')}`] : []),
        ...(files.length > 0 ? [`Files: ${files.join(', ')}`] : []),
      ];
      return textResult(
        [`# ${skill.name} ${skill.version}`, ...notes, '', text].join('\n'),
        `${skill.name} ${skill.version}`,
        { name: skill.name, version: skill.version, form: skill.form, files },
      );
    },
  });
