import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLearningDatabase, openSessionDatabase, skillFiles } from '#adapters/store';
import { toolSet } from '#engines/agent';
import { finishedTurn, type Learning, openLearning, trialShelf } from '#engines/learning';
import { assemblePrompt, openConversation } from '#engines/session';
import type { SkillMatch, ToolPowers } from '#spec/ports';
import { junior } from './junior.ts';
import { POISON, POISON_PATH, POISON_TEXT } from './poison.ts';
import { judgeSkill, openSkillLibrary, skillTools, skillWriter } from '#engines/skills';
import type { Task } from './tasks.ts';
import { openWorld } from './world.ts';

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

const AUDIENCE = { source: 'cli', user: 'bench', chat: 'bench' };
const MOST_CALLS = 150;
const START = Date.UTC(2026, 0, 1);
const TASK_MS = 600_000;

/** Runs all tasks, each in a conversation of its own, with the product's loop, stores, prompts, tools and learning. */
export async function runArm(arm: Arm, tasks: readonly Task[], poisoned: string): Promise<ArmResult> {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-learning-'));
  const home = join(folder, 'skills');
  const sessions = await openSessionDatabase(join(folder, 'state.db'));
  const book = await openLearningDatabase(join(folder, 'learning.db'));
  let time = START;
  let ids = 0;
  /** Which family each experience, and so each skill, comes from. */
  const families = new Map<string, string>();
  let current: Task | undefined;
  const now = () => time;
  const newId = (prefix: string) => {
    const id = `${prefix}_${String(++ids).padStart(6, '0')}`;
    if (prefix === 'exp' && current) families.set(id, current.family);
    return id;
  };
  const files = skillFiles({ home, trustOf: (path) => (path.startsWith('learned/') ? 'own' : 'community') });
  const world = openWorld();
  const available = () => ({
    tools: new Set(world.tools.map(({ name }) => name)),
    toolsets: new Set(['ops']),
    platform: 'linux',
    variables: new Set<string>(),
  });
  const library = openSkillLibrary({ files, available, now });
  const pen = skillWriter({
    files,
    history: book.history,
    guard: judgeSkill,
    now,
    newId,
    wrote: () => library.refresh(),
  });
  const learning = openLearning({
    ...book,
    files,
    shelf: library,
    pen,
    now,
    newId,
    settings: { repair: arm.repair },
    trial: () => trialShelf(files, (worn) => openSkillLibrary({ files: worn, available, now })),
  });
  const familyOf = (from: readonly string[]) => mostFrequent(from.flatMap((id) => families.get(id) ?? []));

  const offer = async (text: string): Promise<readonly SkillMatch[]> => {
    if (arm.oracle) {
      const right = (await library.all()).find(
        ({ createdFrom }) => familyOf(createdFrom) === current?.family,
      );
      return right ? [{ skill: right, score: 1, because: [] }] : [];
    }
    if (arm.gate) return learning.offer(await library.match(text, { limit: 3 }), { text });
    const demoted = new Set(
      (await learning.status()).skills.flatMap(({ name, demoted: why }) => (why ? [name] : [])),
    );
    return (await library.search(text, 3)).filter(({ skill }) => !demoted.has(skill.name));
  };
  const deps = conversationDeps();
  const outcomes: Outcome[] = [];
  try {
    if (arm.store) await files.write([{ path: POISON_PATH, text: POISON_TEXT(poisoned) }]);
    for (const task of tasks) {
      time += TASK_MS;
      current = task;
      world.set(task.assignment);
      outcomes.push(await runTask(task));
    }
    if (process.env.TRACE) console.log(JSON.stringify(await book.history.uses({ skill: POISON, limit: 50 })));
    const status = await learning.status();
    const edits: Record<string, number> = {};
    for (const { action } of await book.history.edits({ limit: 10_000 }))
      edits[action] = (edits[action] ?? 0) + 1;
    return {
      outcomes,
      poisonDemoted: status.skills.some(({ name, demoted }) => name === POISON && demoted !== undefined),
      skills: (await library.all()).length,
      edits,
    };
  } finally {
    await sessions.close();
    await book.close();
    rmSync(folder, { recursive: true, force: true });
  }

  async function runTask(task: Task): Promise<Outcome> {
    let ended: Parameters<typeof finishedTurn>[0] | undefined;
    const conversation = await openConversation({ ...deps, onTurn: (turn) => void (ended = turn) }, {});
    if (!conversation) throw new Error('a new conversation was not opened');
    const stream = conversation.send([{ type: 'text', text: task.text }], new AbortController().signal);
    const { calls } = await stream.result();
    if (!ended) throw new Error('the turn was not told');
    const turn = finishedTurn(ended, 'person/cli/bench');
    const skill = viewedSkill(turn.messages);
    const found = skill === undefined ? undefined : await library.find(skill);
    const meantFor = skill === POISON ? poisoned : found && familyOf(found.createdFrom);
    if (process.env.TRACE && !world.solved()) {
      console.log(
        JSON.stringify(
          turn.messages.slice(0, 12).map((m) => m.content),
          null,
          0,
        ).slice(0, 3000),
      );
    }
    if (arm.store) await learn(learning, turn);
    return { task, solved: world.solved(), calls, tokens: turn.tokens, skill, meantFor };
  }

  function conversationDeps(): Omit<Parameters<typeof openConversation>[0], 'onTurn'> {
    const tools = toolSet([...world.tools, ...skillTools({ library, writer: pen })]);
    const nothing = async () => undefined;
    return {
      stores: sessions,
      audience: AUDIENCE,
      cwd: folder,
      language: 'en',
      now,
      toolsFor: async () => tools,
      freeze: async ({ contextWindow }, set) => {
        const skills = arm.store ? await library.promptIndex() : '';
        const inputs = { platform: '', toolNames: set.names, contextWindow };
        const { blocks } = assemblePrompt(skills ? { ...inputs, skills } : inputs);
        return { prefix: { system: blocks, tools: set.specs }, notices: [] };
      },
      modelFor: async () => junior(),
      answering: async () => 'script/junior',
      references: { file: nothing, folder: nothing, diff: nothing, url: nothing },
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
        const offered = arm.store ? await offer(text) : [];
        if (!offered.length) return undefined;
        const lines = offered.map(({ skill }) => `- \`${skill.name}\`: ${skill.description.slice(0, 120)}`);
        return ['Skills that fit (read one with skill_view before following it):', ...lines].join('\n');
      },
    };
  }
}

/** The tools of this world and of skills need nothing of the machine. */
const NO_POWERS = {} as ToolPowers;

async function learn(learning: Learning, turn: Parameters<Learning['learnFrom']>[0]): Promise<void> {
  await learning.learnFrom(turn);
}

function viewedSkill(messages: Parameters<Learning['learnFrom']>[0]['messages']): string | undefined {
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const part of message.content)
      if (part.type === 'tool_call' && part.name === 'skill_view')
        return (JSON.parse(part.arguments) as { name?: string }).name;
  }
  return undefined;
}

function mostFrequent(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}
