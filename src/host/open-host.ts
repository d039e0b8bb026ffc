import { fileCredentialBook } from '#adapters/store';
import { basePrompt, fitWindow } from '#engines/session';
import type { Tier } from '#engines/models';
import type { Message, ModelRequest, ThinkingLevel } from '#spec/data';
import type { ModelStream } from '#spec/ports';
import { type LoadedConfig, loadConfig } from './config/load-config.ts';
import { gatherFacts } from './facts.ts';
import { type Env, type Home, resolveHome } from './home.ts';
import { type Models, openModels } from './models/open-models.ts';

export interface AskOptions {
  readonly thinking?: ThinkingLevel | undefined;
  /** `provider/model` instead of the configured one. */
  readonly model?: string | undefined;
  /** The same for every message of one conversation. */
  readonly conversation: string;
  readonly signal: AbortSignal;
}

export interface Asked {
  readonly events: ModelStream;
  /** How many older messages did not fit the model's window. */
  readonly leftOut: number;
  readonly tier?: Tier;
}

/** One home, opened: its configuration read and its models at hand. */
export interface Host {
  readonly home: Home;
  readonly version: string;
  readonly loaded: LoadedConfig;
  models(override?: string): Promise<Models>;
  /** Sends a conversation to the model that is configured for it. */
  ask(messages: readonly Message[], options: AskOptions): Promise<Asked>;
  /** `provider/model` of what would answer, or undefined for the built-in operator. */
  answering(override?: string): Promise<string | undefined>;
}

export async function openHost(options: {
  readonly env: Env;
  readonly profile?: string | undefined;
  readonly version: string;
}): Promise<Host> {
  const { env, profile, version } = options;
  const home = resolveHome({ env, profile });
  const loaded = await loadConfig(home, env);
  const book = fileCredentialBook(home.file('credentials.json'));
  const facts = () => gatherFacts(version, home, loaded);
  const opened = new Map<string, Promise<Models>>();

  const models = (override = ''): Promise<Models> => {
    const known =
      opened.get(override) ??
      openModels({ loaded, book, facts, override, signal: AbortSignal.timeout(60_000) });
    opened.set(override, known);
    return known;
  };

  const ask = async (messages: readonly Message[], asked: AskOptions): Promise<Asked> => {
    const { llm } = loaded.config;
    const { model, tier } = await (await models(asked.model)).turn(lastText(messages));
    const system = basePrompt(model.info.contextWindow);
    const fitting = fitWindow(messages, system, model.info);
    const request: ModelRequest = {
      system,
      messages: fitting,
      tools: [],
      maxOutput: Math.min(llm.max_tokens ?? model.info.maxOutput, model.info.maxOutput),
      ...(llm.temperature === undefined ? {} : { temperature: llm.temperature }),
      thinking: asked.thinking ?? llm.thinking,
      cacheTtl: llm.cache_ttl,
      cacheKey: asked.conversation,
    };
    const events = model.stream(request, asked.signal);
    return { events, leftOut: messages.length - fitting.length, ...(tier ? { tier } : {}) };
  };

  return {
    home,
    version,
    loaded,
    models,
    ask,
    answering: async (override) => {
      const { primary } = await models(override);
      return primary && [primary.provider, primary.model].filter(Boolean).join('/');
    },
  };
}

function lastText(messages: readonly Message[]): string {
  const last = messages.findLast(({ role }) => role === 'user');
  return last?.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n') ?? '';
}
