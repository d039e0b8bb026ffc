import { tell } from '#kit/text';
import { finishedTurn, type LearnEvent, tellLearning } from '#engines/learning';
import { homeScope, type MemoryView, routeMessage } from '#engines/memory';
import { skillTools, type SkillToolDeps, workflowExperience } from '#engines/skills';
import type { EndedTurn } from '#engines/session';
import type { Language } from '#kit/language';
import { newId } from '#kit/new-id';
import type { AskUser, SkillMatch, Tool, ToolResult } from '#spec/ports';
import type { Dependencies } from '../dependencies.ts';
import type { Workflows } from './open-workflows.ts';
import { stageSkillWrite } from './stage-skill-write.ts';
import { surroundingsOf } from './surroundings.ts';

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
  | 'tracing'
>;

export interface ConversationSkillsOptions {
  readonly cwd: string;
  readonly view: MemoryView;
  readonly language: Language;
  /** Who can be asked while a workflow runs. */
  readonly ask: () => AskUser | undefined;
}

/** What one conversation has of the skills. */
export interface ConversationSkills {
  tools(): Promise<readonly Tool[]>;
  /** The same for a review: what needs care is not written by it. */
  reviewTools(): Promise<readonly Tool[]>;
  /** The list of skills for the prompt. */
  prompt(): Promise<string>;
  remind(text: string): Promise<string | undefined>;
  ended(turn: EndedTurn): Promise<void>;
  takeNotices(): readonly string[];
}

const MOST_OFFERED = 2;

export async function conversationSkills(
  deps: Needs,
  { cwd, view, language, ask }: ConversationSkillsOptions,
): Promise<ConversationSkills> {
  const { skills: settings, learning: learns } = deps.settings;
  const open = await deps.skills(cwd);
  const { library, writer, learning } = open;
  const notices: string[] = [];
  let workflows: Promise<Workflows> | undefined;
  const tellAll = (events: readonly LearnEvent[]): void => {
    const told = events.filter(({ kind }) => kind !== 'rejected' && kind !== 'refused');
    notices.push(...told.map((event) => tellLearning(event, language)));
  };
  /** What tells of each run that goes on. */
  const watching = new Map<string, (line: string) => void>();
  // Who can be asked changes from turn to turn.
  const asking: AskUser = async (...question) => ask()?.(...question);

  const runWorkflow: SkillToolDeps['runWorkflow'] = async ({ name, args, dryRun }, context) => {
    const skill = await library.get(name);
    const { openWorkflows } = await import('./open-workflows.ts');
    workflows ??= openWorkflows(deps, {
      cwd,
      view,
      ask: ask() && asking,
      report: (event) => {
        if (event.type === 'step.started') watching.get(event.run)?.(`${event.name} …`);
      },
    });
    const running = await workflows;
    const id = newId('run');
    const spoken = context.language ?? language;
    watching.set(id, context.update);
    const begun = running.run(
      {
        id,
        text: await library.source(skill),
        path: skill.path,
        args,
        dryRun,
        requester: {
          caller: 'flow',
          platform: view.audience.source,
          profile: deps.profile,
          session: context.session,
          user: view.audience.user,
        },
        language: spoken,
        workspace: cwd,
        view,
      },
      context.signal,
    );
    const reply = await begun.finally(() => watching.delete(id));
    const run = reply && reply.ageMs === undefined ? reply.run : undefined;
    const experience = run && workflowExperience(run, homeScope('note', view));
    if (learns.enabled && experience) tellAll(await learning.record(experience, context.signal));
    return resultOf(name, reply?.run.result, reply?.ageMs, spoken);
  };
  deps.onClose(async () => {
    await (await workflows)?.close();
  });

  const staging = learns.approve ? { stage: stageSkillWrite(deps, view, language) } : {};
  const tools = skillTools({ library, writer, runWorkflow, ...staging });
  const matching = async (text: string): Promise<readonly SkillMatch[]> =>
    learning.offer(await library.match(text, { limit: 6, ...(await surroundingsOf(cwd, text)) }), { text });

  return {
    tools: async () => tools,
    reviewTools: async () => skillTools({ library, writer, by: 'review', ...staging }),
    prompt: () => library.promptIndex(settings.index_tokens),
    remind: async (text) => {
      // Something to be remembered or looked up is no task.
      const { route } = routeMessage(text);
      if (!settings.offer || (route !== 'chat' && route !== 'incident')) return undefined;
      const found = (await matching(text)).slice(0, MOST_OFFERED);
      return found.length ? offerText(found) : undefined;
    },
    ended: async (ended) => {
      if (!learns.enabled) return;
      const learned = await learning.learnFrom(finishedTurn(ended, homeScope('note', view)));
      tellAll([...learned, ...(await open.tidy())]);
    },
    takeNotices: () => notices.splice(0),
  };
}

/** Skills that cannot be reached. */
export const NO_SKILLS: ConversationSkills = {
  tools: async () => [],
  reviewTools: async () => [],
  prompt: async () => '',
  remind: async () => undefined,
  ended: async () => undefined,
  takeNotices: () => [],
};

/** The skills that fit a message, as the model is told of them. */
const offerText = (found: readonly SkillMatch[]): string =>
  [
    'Skills that seem to fit. Load one with skill_view before you begin, and follow it where it fits; run a workflow with skill_run.',
    ...found.map(({ skill }) => `- ${skill.name} (${skill.form}): ${skill.description}`),
  ].join('\n');

type WorkflowResult = NonNullable<NonNullable<Awaited<ReturnType<Workflows['run']>>>['run']['result']>;

function resultOf(
  name: string,
  result: WorkflowResult | undefined,
  ageMs: number | undefined,
  language: Language,
): ToolResult {
  if (!result)
    return { content: [{ type: 'text', text: `${name}: no result` }], summary: name, isError: true };
  const old =
    ageMs === undefined
      ? ''
      : tell(
          `(kept result, ${Math.round(ageMs / 1000)} s old)\n`,
          `(缓存结果,${Math.round(ageMs / 1000)} 秒前)\n`,
        )[language];
  const failed = result.state !== 'done' && result.state !== 'shown';
  const steps = result.steps.map(({ name: step, state, summary = '' }) =>
    `- ${step}: ${state} ${summary}`.trim(),
  );
  const text = [result.text, ...(failed ? steps : []), ...result.warnings].filter(Boolean).join('\n');
  return {
    content: [{ type: 'text', text: old + text }],
    summary: `${name}: ${result.state}`,
    data: result.outputs,
    ...(failed ? { isError: true } : {}),
  };
}
