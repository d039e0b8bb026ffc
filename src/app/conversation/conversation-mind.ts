import type { ToolSet } from '#engines/agent';
import type { MemoryView, RunReview, WriteSummary } from '#engines/memory';
import type { EndedTurn, SlashCommand } from '#engines/session';
import { AppError, toErrorRecord } from '#kit/app-error';
import type { Language } from '#kit/language';
import type { AskUser, Tool } from '#spec/ports';
import type { ConversationMemory } from '../memory/conversation-memory.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ConversationSkills } from '../skills/conversation-skills.ts';

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

export interface MindOptions {
  readonly cwd: string;
  readonly view: MemoryView;
  readonly language: Language;
  readonly ask: () => AskUser | undefined;
  /** Undefined where no model answers. */
  readonly runReview: () => Promise<RunReview | undefined>;
  /** Undefined where no model answers. */
  readonly writeSummary: () => Promise<WriteSummary | undefined>;
}

/** What a conversation knows from before and learns for later. Nothing is opened before its first message. */
export interface ConversationMind {
  tools(): Promise<readonly Tool[]>;
  /** Tells which tools there are: a skill that needs others is not offered. */
  see(tools: ToolSet): Promise<void>;
  /** To be frozen into the prompt. */
  prompt(place: { readonly small: boolean }): Promise<{
    readonly memory?: string;
    readonly user?: string;
    readonly skills: string;
    readonly notices: readonly string[];
  }>;
  remind(text: string, session: string, signal: AbortSignal): Promise<string | undefined>;
  /** Learns from the turn in the background. */
  ended(turn: EndedTurn): void;
  /** The conversation goes on in another session: this one is summed up in the background. */
  left(session: string): void;
  /** What the user should know, each told once. */
  takeNotices(): readonly string[];
  readonly commands: Readonly<Record<string, SlashCommand>>;
  /** A skill that is called like a command. */
  lateCommand(name: string): Promise<SlashCommand | undefined>;
  /** Waits for what is being learned, and sums up what was said. */
  settled(): Promise<void>;
}

export function conversationMind(deps: Needs, options: MindOptions): ConversationMind {
  const { cwd, view, language, ask, runReview, writeSummary } = options;
  const notices: string[] = [];
  let learning: Promise<void> = Promise.resolve();
  let opened: Promise<[ConversationMemory, ConversationSkills]> | undefined;
  const open = () => (opened ??= openBoth());

  const told = new Set<string>();
  /** What is damaged must keep nobody from talking: it is left out, and said once. A defect of ours is thrown. */
  const orElse = async <T>(work: Promise<T>, without: T): Promise<T> => {
    try {
      return await work;
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      const line = [thrown.message.replace(/\.$/, ''), thrown.record.hint].filter(Boolean).join('. ');
      if (!told.has(line)) notices.push(line);
      told.add(line);
      return without;
    }
  };

  async function openBoth(): Promise<[ConversationMemory, ConversationSkills]> {
    const [{ conversationMemory, NO_MEMORY }, { conversationSkills, NO_SKILLS }] = await Promise.all([
      import('../memory/conversation-memory.ts'),
      import('../skills/conversation-skills.ts'),
    ]);
    const skills = await orElse(conversationSkills(deps, { cwd, view, language, ask }), NO_SKILLS);
    if (!deps.settings.memory.enabled) return [NO_MEMORY, skills];
    const skillTools = skills.reviewTools;
    const memory = conversationMemory(deps, {
      view,
      language,
      skillTools,
      runReview: await runReview(),
      writeSummary: await writeSummary(),
    });
    return [await orElse(memory, NO_MEMORY), skills];
  }

  const learnFrom = async (turn: EndedTurn): Promise<void> => {
    const [memory, skills] = await open();
    await skills.ended(turn);
    await memory.ended(turn);
    notices.push(...skills.takeNotices(), ...memory.takeNotices());
  };

  const inBackground = (work: () => Promise<void>): void => {
    learning = learning
      .then(work)
      .catch((thrown: unknown) => void notices.push(toErrorRecord(thrown).message));
  };

  return {
    tools: async () => {
      const [memory, skills] = await open();
      return [...(await memory.tools()), ...(await skills.tools())];
    },
    see: async ({ names, find }) => {
      const shelf = await orElse(deps.skills(cwd), undefined);
      shelf?.see(names.flatMap((name) => find(name) ?? []));
    },
    prompt: async ({ small }) => {
      const [memory, skills] = await open();
      const known = await orElse(memory.prompt(), { notices: [] });
      const index = small ? '' : await orElse(skills.prompt(), '');
      return { ...known, skills: index, notices: [...known.notices, ...notices.splice(0)] };
    },
    remind: async (text, session, signal) => {
      const [memory, skills] = await open();
      memory.began();
      const parts = await Promise.all([
        orElse(memory.remind(text, session, signal), undefined),
        orElse(skills.remind(text), undefined),
      ]);
      return parts.filter(Boolean).join('\n\n') || undefined;
    },
    ended: (turn) => inBackground(() => learnFrom(turn)),
    left: (id) => {
      if (opened) inBackground(async () => (await open())[0].left(id));
    },
    takeNotices: () => notices.splice(0),
    commands: {
      memory: {
        summary: { en: 'what is remembered; writes that wait', zh: '记忆与待确认的写入' },
        usage: '[search|pending|approve|reject|forget|user]',
        run: async (args, { language: tongue }) =>
          (await import('../memory/memory-command.ts')).memoryCommand(deps, view, args, tongue),
      },
      rules: {
        summary: { en: 'rules that the incident policy obeys', zh: '事故策略遵守的团队规则' },
        usage: '[remove ID]',
        run: async (args, { language: tongue }) =>
          (await import('../incidents/rules-command.ts')).rulesCommand(deps, view, args, tongue),
      },
      skills: {
        summary: { en: 'skills: list, or find by words', zh: '技能列表与搜索' },
        usage: '[words]',
        run: async (args, { language: tongue }) =>
          (await import('../skills/skills-command.ts')).skillsCommand(deps, cwd, args, tongue),
      },
      learn: {
        summary: { en: 'what was learned; reflect now', zh: '学到了什么;立即反思' },
        usage: '[reflect]',
        run: async (args, { language: tongue, signal }) =>
          (await import('../skills/learn-command.ts')).learnCommand(
            deps,
            { cwd, view },
            args,
            tongue,
            signal,
          ),
      },
    },
    lateCommand: async (name) =>
      (await import('../skills/skills-command.ts')).lateSkillCommand(deps, cwd, name),
    settled: async () => {
      if (!opened) return;
      const [memory] = await opened;
      memory.began();
      inBackground(memory.close);
      await learning;
    },
  };
}
