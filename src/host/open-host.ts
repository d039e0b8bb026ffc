import { mkdir } from 'node:fs/promises';
import { fileCredentialBook, openSessionDatabase, type SessionDatabase } from '#adapters/store';
import type { Conversation } from '#engines/session';
import type { ModelRequest } from '#spec/data';
import type { ModelStream } from '#spec/ports';
import type { Language } from '#kit/language';
import { type LoadedConfig, loadConfig } from './config/load-config.ts';
import { gatherFacts } from './facts.ts';
import { type Env, type Home, resolveHome } from './home.ts';
import { type Models, openModels } from './models/open-models.ts';

export interface ConversationOptions {
  /** Go on in this session, or in the newest of this place. */
  readonly resume?: string | undefined;
  readonly latest?: boolean | undefined;
  readonly model?: string | undefined;
  readonly thinking?: ModelRequest['thinking'];
  readonly cwd: string;
  readonly language: Language;
  /** How answers are read: `cli`, `pipe`. */
  readonly platform: string;
}

/** One home, opened: its configuration read, its models and conversations at hand. */
export interface Host {
  readonly home: Home;
  readonly version: string;
  readonly loaded: LoadedConfig;
  models(override?: string): Promise<Models>;
  /** The conversations of this home; opened at the first call. */
  database(): Promise<SessionDatabase>;
  conversation(options: ConversationOptions): Promise<Conversation>;
  /** Asks a model one question outside of any conversation. */
  probe(text: string, options: { model?: string | undefined; signal: AbortSignal }): Promise<ModelStream>;
  /** `provider/model` of what would answer, or undefined for the built-in operator. */
  answering(override?: string): Promise<string | undefined>;
  close(): Promise<void>;
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
  let database: Promise<SessionDatabase> | undefined;

  const host: Host = {
    home,
    version,
    loaded,
    models: (override = '') => {
      const signal = AbortSignal.timeout(60_000);
      const known = opened.get(override) ?? openModels({ loaded, book, facts, override, signal });
      opened.set(override, known);
      return known;
    },
    database: () => (database ??= openDatabase(home)),
    conversation: async (asked) => {
      const { connectConversation } = await import('./connect-conversation.ts');
      return connectConversation(host, asked);
    },
    probe: async (text, { model, signal }) => {
      const turn = await (await host.models(model)).turn(text);
      const request: ModelRequest = {
        system: [],
        messages: [{ role: 'user', content: [{ type: 'text', text }] }],
        tools: [],
        maxOutput: Math.min(256, turn.model.info.maxOutput),
      };
      return turn.model.stream(request, signal);
    },
    answering: async (override) => {
      const { primary } = await host.models(override);
      return primary && [primary.provider, primary.model].filter(Boolean).join('/');
    },
    close: async () => (await database)?.close(),
  };
  return host;
}

async function openDatabase(home: Home): Promise<SessionDatabase> {
  await mkdir(home.root, { recursive: true, mode: 0o700 });
  return openSessionDatabase(home.file('state.db'));
}
