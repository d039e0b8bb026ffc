import { createHash } from 'node:crypto';
import type { Skill, SkillProblem } from '#spec/data';
import type { SkillFile } from '#spec/ports';
import { parseWorkflow, type Workflow } from '../../workflow/index.ts';
import { parseBundle } from './parse-bundle.ts';
import { categoryOf } from './category-of.ts';
import { parseDocument } from './parse-document.ts';

export type ParsedSkill = { readonly skill: Skill } | { readonly problem: SkillProblem };

const MOST_CHARS = 1_048_576;

/**
 * Reads a skill of either form. Documents of the agentskills.io standard are taken as they come; a workflow runs by
 * itself and has to be right.
 */
export function parseSkillFile(file: SkillFile): ParsedSkill {
  const wrong = (problem: string, fix: string, line?: number): ParsedSkill => ({
    problem: { root: file.root, path: file.path, ...(line === undefined ? {} : { line }), problem, fix },
  });
  if (file.text.length > MOST_CHARS)
    return wrong('The file is larger than 1 MiB', 'Move parts into references/');
  if (file.text.includes('\0')) return wrong('The file is not text', 'Save it as UTF-8 text');
  if (file.text.trim() === '') return wrong('The file is empty', 'Write what the skill does, or remove it');
  const digest = digestOf(file.text);
  if (!/\.ya?ml$/i.test(file.path)) return { skill: { ...parseDocument(file), digest } };
  const bundle = parseBundle(file);
  if (bundle) return { skill: { ...bundle, digest } };
  const parsed = parseWorkflow(file.text, file.path);
  if ('workflow' in parsed) return { skill: { ...workflowSkill(parsed.workflow, file), digest } };
  const [first, ...rest] = parsed.problems;
  const more = rest.length > 0 ? ` (and ${rest.length} more)` : '';
  return wrong(first.problem + more, first.fix, first.line);
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

function workflowSkill(workflow: Workflow, file: SkillFile): Omit<Skill, 'digest'> {
  const { trigger, steps, improvement } = workflow;
  return {
    name: workflow.name,
    form: 'workflow',
    description: workflow.description || steps.map(({ name }) => name).join(', '),
    version: workflow.version,
    category: categoryOf(file.path) ?? workflow.category ?? 'workflows',
    tags: [...workflow.tags],
    root: file.root,
    path: file.path,
    trust: file.trust,
    triggers: {
      keywords: [...trigger.keywords],
      filePatterns: [...trigger.filePatterns],
      contextSignals: [...trigger.contextSignals, ...trigger.context],
      ...(trigger.cron === undefined ? {} : { cron: trigger.cron }),
    },
    needs: {
      platforms: [],
      tools: [],
      toolsets: [],
      fallbackForTools: [],
      fallbackForToolsets: [],
      variables: [],
    },
    body: file.text,
    createdFrom: [...workflow.createdFrom],
    ...(improvement.autoUpdate
      ? {
          improvement: {
            minSamples: improvement.minSamplesForUpdate,
            confirm: improvement.requireConfirmation,
          },
        }
      : {}),
  };
}
