import type { SessionDatabase } from '#adapters/store';
import { type KnownSecrets, redact, redactDeep } from '#kit/redact';
import { redactMessage } from '#kit/redact-message';
import type { Message, ModelRequest } from '#spec/data';
import type { Model, TranscriptEntry } from '#spec/ports';
import type { LoadedConfig } from './config/load-config.ts';
import type { Home } from './home.ts';
import { knownSecrets } from './secret-values.ts';

/**
 * The one redactor of a home. It stands where texts leave the process that works with them: before every store, every
 * model, every log and every export. What runs is not touched: a call keeps its arguments while it runs, and what is
 * agreed to is hashed as it is.
 */
export interface Redactor {
  readonly secrets: KnownSecrets;
  text(text: string): string;
  /** Every string in a value, however deep. */
  deep<T>(value: T): T;
}

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
export function redactingModel(model: Model, { text: clean }: Redactor): Model {
  const known = new WeakMap<object, unknown>();
  const once = <T extends object>(given: T, work: (given: T) => T): T => {
    const seen = known.get(given) ?? work(given);
    known.set(given, seen);
    return seen as T;
  };
  const cleaned = (request: ModelRequest): ModelRequest => ({
    ...request,
    system: request.system.map((block) => once(block, (one) => ({ ...one, text: clean(one.text) }))),
    messages: request.messages.map((message) => once(message, (one: Message) => redactMessage(one, clean))),
    tools: request.tools.map((tool) =>
      once(tool, (one) => {
        const description = clean(one.description);
        return description === one.description ? one : { ...one, description };
      }),
    ),
  });
  return { info: model.info, stream: (request, signal) => model.stream(cleaned(request), signal) };
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
  return {
    get sessions() {
      return database.sessions;
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
