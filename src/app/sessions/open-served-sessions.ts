import { setImmediate } from 'node:timers/promises';
import { messageText, searchSessions } from '#engines/retrieval';
import { fail } from '#kit/app-error';
import { redact } from '#kit/redact';
import type * as api from '#spec/api';
import type { AgentEvent, Approval, Audience, FrozenPrefix, Session } from '#spec/data';
import type { Dependencies } from '../dependencies.ts';
import { exportSession } from './sessions.ts';
import { OWN_SOURCES } from './own-sources.ts';
import { redactDeep } from '#kit/redact';
import { cutStrings } from './cut-text.ts';
import { findPassage } from './find-passage.ts';
import { type ShownMessage, shownMessage } from './shown-message.ts';
import { shownPrompt } from './shown-prompt.ts';

type Needs = Pick<Dependencies, 'database' | 'gate' | 'redactor' | 'settings'>;

/** Who asks. `all`: the owner of the home, to whom every conversation in it is open. */
export interface SessionReader {
  readonly user: string;
  readonly all: boolean;
}

type FoundPassage = api.Given<api.FoundPassage>;

type SessionView = api.Given<api.AnswerOf<api.Calls['GET /api/conversations/:id']>>;
type SessionApproval = api.Given<api.SessionApproval>;

/**
 * The stored conversations as the console shows them: without credentials, bounded, and to each person only their own.
 * One that a reader may not see is not there. Nothing is written.
 */
export interface ServedSessions {
  list(
    reader: SessionReader,
    filter: { readonly text?: string; readonly before?: number; readonly limit: number },
  ): Promise<readonly Session[]>;
  search(reader: SessionReader, query: string, limit: number): Promise<readonly FoundPassage[]>;
  view(reader: SessionReader, id: string): Promise<SessionView>;
  /** All but what was taken back, in order, long parts cut. */
  messages(reader: SessionReader, id: string): Promise<readonly ShownMessage[]>;
  message(reader: SessionReader, id: string, message: string): Promise<ShownMessage>;
  facts(reader: SessionReader, id: string, after: number, limit: number): Promise<readonly AgentEvent[]>;
  approvals(reader: SessionReader, id: string): Promise<readonly SessionApproval[]>;
  export(reader: SessionReader, id: string, format: 'json' | 'markdown'): Promise<string>;
}

const PART_CHARS = 4_000;
const FACT_CHARS = 2_000;
const WHOLE_CHARS = 1_000_000;
const MOST_APPROVALS = 500;

export async function openServedSessions(deps: Needs): Promise<ServedSessions> {
  const secrets = (await deps.redactor()).secrets;
  const clean = <T>(value: T): T => redactDeep(value, secrets);
  /** Parts of the store that a reader sees; each is asked by itself. */
  const scopesOf = ({ user, all }: SessionReader): readonly { readonly audience?: Partial<Audience> }[] =>
    all ? [{}] : OWN_SOURCES.map((source) => ({ audience: { source, user } }));

  const must = async (
    reader: SessionReader,
    id: string,
  ): Promise<{ readonly session: Session; readonly prefix: FrozenPrefix }> => {
    const found = await (await deps.database()).sessions.get(id);
    if (!found || !(reader.all || isOwn(found.session, reader)))
      throw fail('input.not_found', `There is no session '${id}'.`);
    return found;
  };
  const read = async (reader: SessionReader, id: string) => {
    await must(reader, id);
    return (await deps.database()).transcript.read(id, ['active', 'archived']);
  };

  return {
    list: async (reader, filter) => {
      const { sessions } = await deps.database();
      const lists = await Promise.all(
        scopesOf(reader).map((scope) => sessions.list({ ...filter, ...scope })),
      );
      const newest = lists.flat().toSorted((one, other) => other.updatedAt - one.updatedAt);
      return clean(newest.slice(0, filter.limit));
    },
    search: async (reader, query, limit) => {
      const { index, sessions } = await deps.database();
      const lists = await Promise.all(
        scopesOf(reader).map((scope) => searchSessions(query, { index }, { scope, limit })),
      );
      const hits =
        lists.length > 1
          ? lists
              .flat()
              .toSorted((one, other) => other.score - one.score)
              .slice(0, limit)
          : lists.flat();
      const titles = new Map<string, string>();
      for (const { session } of hits)
        if (!titles.has(session)) titles.set(session, (await sessions.get(session))?.session.title ?? '');
      const found: FoundPassage[] = [];
      for (const { id, session, message } of hits) {
        // Texts may be long: others are served between two of them.
        await setImmediate();
        found.push({
          session,
          title: redact(titles.get(session) ?? '', secrets),
          message: id,
          turn: message.turn,
          at: message.at,
          role: message.message.role,
          pieces: findPassage(redact(messageText(message.message), secrets), query),
        });
      }
      return found;
    },
    view: async (reader, id) => {
      const { session, prefix } = await must(reader, id);
      return {
        session: clean(session),
        prompt: shownPrompt(prefix, deps.settings.llm.cache_ttl, secrets),
      };
    },
    messages: async (reader, id) =>
      (await read(reader, id)).map((stored) => shownMessage(stored, PART_CHARS, secrets)),
    message: async (reader, id, message) => {
      const found = (await read(reader, id)).find((stored) => stored.id === message);
      if (!found) throw fail('input.not_found', `There is no message '${message}' in '${id}'.`);
      return shownMessage(found, WHOLE_CHARS, secrets);
    },
    facts: async (reader, id, after, limit) => {
      await must(reader, id);
      const { transcript } = await deps.database();
      return cutStrings(await transcript.facts(id, after, limit), FACT_CHARS, secrets);
    },
    approvals: async (reader, id) => {
      await must(reader, id);
      const { approvals } = await deps.gate();
      const found = await approvals.list({ session: id, limit: MOST_APPROVALS });
      return clean(found.map(shownApproval));
    },
    export: async (reader, id, format) => {
      await must(reader, id);
      const text = await exportSession(deps, id, format);
      if (format === 'markdown') return redact(text, secrets);
      return `${JSON.stringify(clean(JSON.parse(text) as unknown), null, 2)}\n`;
    },
  };
}

const isOwn = ({ source, user }: Session, reader: SessionReader): boolean =>
  user === reader.user && OWN_SOURCES.some((own) => own === source);

function shownApproval(approval: Approval): SessionApproval {
  const { id, state, reasons, createdAt, expiresAt, decidedAt, decidedBy, usedAt, scope, action } = approval;
  return {
    id,
    state,
    reasons,
    createdAt,
    expiresAt,
    ...(decidedAt === undefined ? {} : { decidedAt }),
    ...(decidedBy ? { decidedBy } : {}),
    ...(usedAt === undefined ? {} : { usedAt }),
    ...(scope ? { scope } : {}),
    tool: action.tool,
    level: action.level,
    shown: action.shown,
  };
}
