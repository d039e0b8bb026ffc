import type { SessionDatabase } from '#adapters/store';
import type { Redactor } from '#app';
import { isRecord } from '#kit/is-record';
import { redact, redactDeep } from '#kit/redact';
import { redactMessage } from '#kit/redact-message';
import type { Message, ModelRequest } from '#spec/data';
import type { Model, TranscriptEntry } from '#spec/ports';
import type { LoadedConfig } from './config/load-config.ts';
import type { Home } from './home.ts';
import { knownSecrets } from './secret-values.ts';

export async function openRedactor(home: Home, loaded: LoadedConfig): Promise<Redactor> {
  const secrets = await knownSecrets(home, loaded);
  return {
    secrets,
    text: (text) => redact(text, secrets),
    deep: (value) => redactDeep(value, secrets),
  };
}

/**
 * The same model, which is sent no secrets. A message or a block that was sent before is sent in the same bytes: what is
 * replaced depends on nothing but the text itself.
 */
export function redactingModel(model: Model, { text: clean, deep }: Redactor): Model {
  const known = new WeakMap<object, unknown>();
  const once = <T extends object>(given: T, work: (given: T) => T): T => {
    const seen = known.get(given) ?? work(given);
    known.set(given, seen);
    return seen as T;
  };
  const cleaned = (request: ModelRequest): ModelRequest => ({
    ...request,
    system: request.system.map((block) => once(block, (one) => cleanBlock(one, clean))),
    messages: request.messages.map((message) => once(message, (one: Message) => redactMessage(one, clean))),
    tools: request.tools.map((tool) => once(tool, deep)),
  });
  return { info: model.info, stream: (request, signal) => model.stream(cleaned(request), signal) };
}

/**
 * Cleans what a store writes. Messages are written as JSON, and some of them carry what a vendor signed or encrypted, or a
 * picture: that looks drawn by lot as a key does, and has to come back as it was.
 */
export const cleanStored =
  ({ text: clean }: Pick<Redactor, 'text'>) =>
  (stored: string): string => {
    if (!/"replay":\{|"type":"image"/.test(stored)) return clean(stored);
    const value = readJson(stored);
    return value === undefined ? clean(stored) : JSON.stringify(cleanValue(value, clean));
  };

function cleanValue(value: unknown, clean: Redactor['text']): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((one) => cleanValue(one, clean));
  if (!isRecord(value) || value['type'] === 'image') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, name === 'replay' ? one : cleanValue(one, clean)]),
  );
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: a text like any other.
    return undefined;
  }
}

/** A block that was changed is no longer made of the segments that it says. */
function cleanBlock<B extends ModelRequest['system'][number]>(block: B, clean: Redactor['text']): B {
  const text = clean(block.text);
  if (text === block.text) return block;
  return { ...block, text, ...('segments' in block ? { segments: undefined } : {}) };
}

/** The same conversations, into which no secrets are written. What comes back is what was stored. */
export function redactingSessions(
  database: SessionDatabase,
  { text: clean, deep }: Redactor,
): SessionDatabase {
  const entries = (given: readonly TranscriptEntry[]) =>
    given.map((entry) => ({ ...entry, message: redactMessage(entry.message, clean) }));
  const cleaned = (transcript: SessionDatabase['transcript']): SessionDatabase['transcript'] => ({
    ...transcript,
    append: (session, added, facts) => transcript.append(session, entries(added), deep(facts)),
    rewrite: (session, change, facts) =>
      transcript.rewrite(session, { ...change, entries: entries(change.entries) }, deep(facts)),
  });
  const prefixed = (sessions: SessionDatabase['sessions']): SessionDatabase['sessions'] => ({
    ...sessions,
    create: (session, { system, tools }) =>
      sessions.create(deep(session), {
        system: system.map((block) => cleanBlock(block, clean)),
        tools: deep(tools),
      }),
    update: (id, patch) => sessions.update(id, deep(patch)),
  });
  return {
    get sessions() {
      return prefixed(database.sessions);
    },
    get transcript() {
      return cleaned(database.transcript);
    },
    get index() {
      return database.index;
    },
    check: database.check,
    repair: database.repair,
    prune: database.prune,
    close: database.close,
  };
}
