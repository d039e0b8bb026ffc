import { toolSet } from '#engines/agent';
import { type FinishedTurn, finishedTurn } from '#engines/learning';
import { assemblePrompt, openConversation } from '#engines/session';
import { skillTools } from '#engines/skills';
import type { Skill } from '#spec/data';
import type { SkillMatch, ToolPowers } from '#spec/ports';
import { junior } from './junior.ts';
import { type BenchHome, openHome } from './open-home.ts';
import { POISON, POISON_PATH, poisonText } from './poison.ts';
import type { Task } from './tasks.ts';

/** One way to run the same tasks. */
export interface Arm {
  /** Skills are kept, offered and learned. */
  readonly store: boolean;
  /** Only skills that fit are offered; without it, always the nearest. */
  readonly gate: boolean;
  readonly repair: boolean;
  /** The right skill is offered whenever there is one, by somebody who knows. */
  readonly oracle: boolean;
}

export const FULL: Arm = { store: true, gate: true, repair: true, oracle: false };

export interface Outcome {
  readonly task: Task;
  readonly solved: boolean;
  /** Model calls. */
  readonly calls: number;
  readonly tokens: number;
  /** The skill that was looked at. */
  readonly skill: string | undefined;
  /** The family that this skill was learned from. */
  readonly meantFor: string | undefined;
}

export interface ArmResult {
  readonly outcomes: readonly Outcome[];
  readonly poisonDemoted: boolean;
  readonly skills: number;
  readonly edits: Readonly<Record<string, number>>;
}

const START = Date.UTC(2026, 0, 1);
const TASK_MS = 600_000;
const MOST_OFFERED = 3;

/** Runs all tasks, each in a conversation of its own, with the product's loop, stores, prompts, tools and learning. */
export async function runArm(arm: Arm, tasks: readonly Task[], poisoned: string): Promise<ArmResult> {
  let time = START;
  let ids = 0;
  let current: Task | undefined;
  /** Which family each experience, and so each skill, comes from. Only the oracle and the count of mistakes see it. */
  const families = new Map<string, string>();
  const home = await openHome({
    repair: arm.repair,
    now: () => time,
    newId: (prefix) => {
      const id = `${prefix}_${String(++ids).padStart(6, '0')}`;
      if (prefix === 'exp' && current) families.set(id, current.family);
      return id;
    },
  });
  const familyOf = ({ createdFrom }: Skill) =>
    mostFrequent(createdFrom.flatMap((id) => families.get(id) ?? []));

  const offer = async (text: string): Promise<readonly SkillMatch[]> => {
    const { library, learning } = home;
    if (!arm.store) return [];
    if (arm.oracle) {
      const right = (await library.all()).find((skill) => familyOf(skill) === current?.family);
      return right ? [{ skill: right, score: 1, because: [] }] : [];
    }
    if (arm.gate) return learning.offer(await library.match(text, { limit: MOST_OFFERED }), { text });
    const demoted = new Set(await learning.demoted());
    return (await library.search(text, MOST_OFFERED)).filter(({ skill }) => !demoted.has(skill.name));
  };

  const runTask = async (task: Task): Promise<Outcome> => {
    const { calls, turn } = await ask(home, task.text, offer);
    const skill = viewedSkill(turn);
    const found = skill === undefined ? undefined : await home.library.find(skill);
    const meantFor = skill === POISON ? poisoned : found && familyOf(found);
    if (arm.store) await home.learning.learnFrom(turn);
    return { task, solved: home.world.solved(), calls, tokens: turn.tokens, skill, meantFor };
  };

  try {
    if (arm.store) await home.files.write([{ path: POISON_PATH, text: poisonText(poisoned) }]);
    const outcomes: Outcome[] = [];
    for (const task of tasks) {
      time += TASK_MS;
      current = task;
      home.world.set(task.assignment);
      outcomes.push(await runTask(task));
    }
    return {
      outcomes,
      poisonDemoted: (await home.learning.demoted()).includes(POISON),
      skills: (await home.library.all()).length,
      edits: await countEdits(home),
    };
  } finally {
    await home.close();
  }
}

/** Says one thing in a new conversation and tells how the turn went. */
async function ask(
  home: BenchHome,
  text: string,
  offer: (text: string) => Promise<readonly SkillMatch[]>,
): Promise<{ calls: number; turn: FinishedTurn }> {
  let ended: Parameters<typeof finishedTurn>[0] | undefined;
  const deps = conversationDeps(home, offer);
  const conversation = await openConversation({ ...deps, onTurn: (turn) => void (ended = turn) }, {});
  const stream = conversation?.send([{ type: 'text', text }], new AbortController().signal);
  const result = await stream?.result();
  if (!result || !ended) throw new Error('the turn did not end');
  return { calls: result.calls, turn: finishedTurn(ended, 'person/cli/bench') };
}

const MOST_CALLS = 150;
/** The tools of this world and of skills need nothing of the machine. */
const NO_POWERS = {} as ToolPowers;
const nothing = async () => undefined;

function conversationDeps(
  { sessions, folder, world, library, pen }: BenchHome,
  offer: (text: string) => Promise<readonly SkillMatch[]>,
): Omit<Parameters<typeof openConversation>[0], 'onTurn'> {
  const tools = toolSet([...world.tools, ...skillTools({ library, writer: pen })]);
  return {
    stores: sessions,
    audience: { source: 'cli', user: 'bench', chat: 'bench' },
    cwd: folder,
    language: 'en',
    now: () => START,
    toolsFor: async () => tools,
    freeze: async ({ contextWindow }, set) => {
      const skills = await library.promptIndex();
      const { blocks } = assemblePrompt({ platform: '', skills, toolNames: set.names, contextWindow });
      return { prefix: { system: blocks, tools: set.specs }, notices: [] };
    },
    modelFor: async () => junior(),
    answering: async () => 'script/junior',
    references: () => ({ file: nothing, folder: nothing, diff: nothing, url: nothing }),
    settings: {},
    maxCalls: MOST_CALLS,
    powers: NO_POWERS,
    permit: async () => ({ allowed: true }),
    present: async (text) => text,
    clean: (text) => text,
    moreCommands: {},
    checkpoints: undefined,
    deskFor: () => ({ pending: async () => [], decide: () => Promise.reject(new Error('nothing waits')) }),
    takeNotices: () => [],
    remind: async (text) => {
      const offered = await offer(text);
      if (!offered.length) return undefined;
      const lines = offered.map(({ skill }) => `- \`${skill.name}\`: ${skill.description.slice(0, 120)}`);
      return ['Skills that fit (read one with skill_view before following it):', ...lines].join('\n');
    },
  };
}

async function countEdits({ history }: BenchHome): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { action } of await history.edits({ limit: 10_000 })) counts[action] = (counts[action] ?? 0) + 1;
  return counts;
}

function viewedSkill({ messages }: FinishedTurn): string | undefined {
  for (const { role, content } of messages)
    for (const part of role === 'assistant' ? content : [])
      if (part.type === 'tool_call' && part.name === 'skill_view')
        return (JSON.parse(part.arguments) as { name?: string }).name;
  return undefined;
}

function mostFrequent(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}
