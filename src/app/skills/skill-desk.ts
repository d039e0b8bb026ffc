import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type LearnEvent, tellLearning } from '#engines/learning';
import { homeScope, type MemoryView } from '#engines/memory';
import {
  explainWorkflow,
  type SkillLibrary,
  validateWorkflow,
  WORKFLOW_FLOW,
  type WorkflowEvent,
  workflowExperience,
  type WorkflowPlan,
  type WorkflowReply,
  workflowRun,
  type WorkflowRun,
} from '#engines/skills';
import { say } from '#kit/text';
import { fail } from '#kit/app-error';
import type { Language } from '#kit/language';
import { newId } from '#kit/new-id';
import type { Skill } from '#spec/data';
import type { AskUser, Tool } from '#spec/ports';
import { localView } from '../terminal/find-session.ts';
import type { Dependencies } from '../dependencies.ts';
import { incidentToolsOf } from '../tools/all-tools.ts';
import { openWorkflows, type Workflows } from './open-workflows.ts';

type Needs = Pick<
  Dependencies,
  | 'auxiliary'
  | 'builtInTools'
  | 'database'
  | 'engineTools'
  | 'env'
  | 'flows'
  | 'gate'
  | 'incidentFile'
  | 'incidents'
  | 'language'
  | 'log'
  | 'mcp'
  | 'memory'
  | 'onClose'
  | 'openPlace'
  | 'plugins'
  | 'profile'
  | 'redactor'
  | 'sees'
  | 'settings'
  | 'skills'
  | 'toolPlace'
  | 'tracing'
>;

export interface RunSkillOptions {
  readonly args: Readonly<Record<string, unknown>>;
  readonly dryRun: boolean;
  readonly fresh: boolean;
  readonly from?: { readonly step: string; readonly run: string } | undefined;
  readonly cwd: string;
  readonly backend?: string | undefined;
  readonly language: Language;
  readonly ask: AskUser | undefined;
  readonly report: (event: WorkflowEvent) => void;
  readonly signal: AbortSignal;
}

export interface WorkflowFile {
  readonly text: string;
  readonly path: string;
}

/** A workflow by its name, or by the path of its file. */
async function workflowText(deps: Needs, name: string, cwd: string): Promise<WorkflowFile> {
  if (/\.ya?ml$/i.test(name)) {
    const text = await readFile(resolve(cwd, name), 'utf8').catch((cause: unknown) => {
      throw fail('input.invalid', `${name} cannot be read`, undefined, cause);
    });
    return { text, path: name };
  }
  const { library } = await deps.skills(cwd);
  return sourceOf(library, await library.get(name));
}

/** The file of a workflow of the library. */
export async function sourceOf(library: SkillLibrary, skill: Skill): Promise<WorkflowFile> {
  if (skill.form !== 'workflow')
    throw fail(
      'input.invalid',
      `'${skill.name}' is a procedure for a model, not a workflow`,
      `In a chat: /${skill.name}`,
    );
  return { text: await library.source(skill), path: skill.path };
}

type SkillReply = WorkflowReply & { readonly learned: readonly LearnEvent[] };

/** Runs a workflow skill to its end, and learns from it. Undefined: it was left running. */
export async function runSkill(
  deps: Needs,
  name: string,
  options: RunSkillOptions,
): Promise<SkillReply | undefined> {
  const { cwd, backend, ask, report } = options;
  const view = localView();
  const file = await workflowText(deps, name, cwd);
  const workflows = await openWorkflows(deps, { cwd, view, backend, ask, report });
  try {
    return await runFile(deps, workflows, file, { ...options, view });
  } finally {
    await workflows.close();
  }
}

export interface RunFileOptions extends Omit<RunSkillOptions, 'ask' | 'report'> {
  /** On whose behalf. */
  readonly view: MemoryView;
  readonly id?: string;
  readonly onStart?: () => void;
}

/** The same where workflows are open already. */
export async function runFile(
  deps: Needs,
  workflows: Pick<Workflows, 'run'>,
  file: WorkflowFile,
  options: RunFileOptions,
): Promise<SkillReply | undefined> {
  const { args, dryRun, fresh, from, cwd, backend, language, signal, view, id, onStart } = options;
  const reply = await workflows.run(
    {
      ...file,
      ...(id === undefined ? {} : { id }),
      args,
      dryRun,
      fresh,
      ...(from ? { from } : {}),
      requester: {
        caller: 'flow',
        platform: view.audience.source,
        profile: deps.profile,
        session: newId('ses'),
        user: view.audience.user,
      },
      language,
      workspace: cwd,
      ...(backend ? { backend } : {}),
      view,
    },
    signal,
    onStart,
  );
  if (!reply) return undefined;
  const scope = homeScope('note', view);
  const experience = reply.ageMs === undefined ? workflowExperience(reply.run, scope) : undefined;
  const { learning } = await deps.skills(cwd);
  const learns = deps.settings.learning.enabled && experience;
  return { ...reply, learned: learns ? await learning.record(experience, signal) : [] };
}

async function actionTools(deps: Needs, cwd: string, language: Language): Promise<readonly Tool[]> {
  return [
    ...(await deps.builtInTools()),
    ...(await incidentToolsOf(deps)),
    ...(await deps.engineTools({ view: localView(), language, cwd })),
  ];
}

const byName = (tools: readonly Tool[]) => {
  const known = new Map(tools.map((tool) => [tool.name, tool]));
  return { find: (name: string) => known.get(name), names: [...known.keys()] };
};

/** Everything that can be said about a workflow before it runs. */
export async function checkSkill(deps: Needs, name: string, cwd: string, language: Language) {
  const { text, path } = await workflowText(deps, name, cwd);
  return validateWorkflow(text, path, byName(await actionTools(deps, cwd, language)));
}

/** What a run would do, step by step, without doing any of it. */
export async function explainSkill(
  deps: Needs,
  name: string,
  args: Readonly<Record<string, unknown>>,
  cwd: string,
  language: Language,
): Promise<WorkflowPlan> {
  return explainFile(deps, await workflowText(deps, name, cwd), { args, cwd, language, view: localView() });
}

/** The same for a file that was read already, with what the memory of a view knows. */
export async function explainFile(
  deps: Needs,
  { text, path }: WorkflowFile,
  { args, cwd, language, view }: Pick<RunFileOptions, 'args' | 'cwd' | 'language' | 'view'>,
): Promise<WorkflowPlan> {
  const tools = byName(await actionTools(deps, cwd, language));
  const { workflow, problems } = await validateWorkflow(text, path, tools);
  if (!workflow) {
    const [first] = problems;
    throw fail('input.invalid', `${path}:${first?.line ?? 1}: ${first?.problem ?? ''}`, first?.fix);
  }
  const place = { ...deps.toolPlace(await deps.sees()), ask: async () => undefined };
  const { memory } = await deps.memory(language);
  return explainWorkflow(workflow, args, {
    tools,
    missing: (tool) => {
      const lacks = tool.missing?.(place);
      return lacks && { what: say(lacks.what, language), fix: say(lacks.fix, language) };
    },
    memory: async (key) => (await memory.list(view, { key, limit: 1 }))[0]?.text,
  });
}

/** Runs of this home, newest first, or one of them. */
export async function skillRuns(
  deps: Needs,
  options: { readonly id?: string; readonly limit: number },
): Promise<readonly WorkflowRun[]> {
  const flows = await deps.flows([]);
  try {
    const records = options.id
      ? [await flows.get(options.id)]
      : await flows.list({ flow: WORKFLOW_FLOW, limit: options.limit });
    return records.flatMap((record) => (record && workflowRun(record)) ?? []);
  } finally {
    await flows.close();
  }
}

/** What the loop did, a line each. */
export const learningLines = async (events: readonly LearnEvent[], language: Language): Promise<string[]> =>
  events.map((event) => tellLearning(event, language));
