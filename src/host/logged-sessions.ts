import type { SessionDatabase } from '#adapters/store';
import { isRecord } from '#kit/is-record';
import type { AgentFacts, LogFields, LoggedAgentFact } from '#spec/data';
import type { Fact, Logger } from '#spec/ports';

/** The same conversations, which tell the log what happens in them; never the words. */
export function loggedSessions(database: SessionDatabase, log: Logger): SessionDatabase {
  const told = (session: string, facts: readonly Fact[]): void => {
    for (const fact of facts) tell(log, session, fact);
  };
  return {
    ...database,
    get sessions() {
      return database.sessions;
    },
    get transcript() {
      const { transcript } = database;
      const logged: SessionDatabase['transcript'] = {
        ...transcript,
        append: async (session, entries, facts) => {
          const written = await transcript.append(session, entries, facts);
          told(session, facts);
          return written;
        },
        rewrite: async (session, change, facts) => {
          const written = await transcript.rewrite(session, change, facts);
          told(session, facts);
          return written;
        },
      };
      return logged;
    },
    get index() {
      return database.index;
    },
  };
}

const isLogged = (type: string): type is LoggedAgentFact => Object.hasOwn(PICKED, type);

/** What of each fact is told. */
const PICKED: { readonly [K in LoggedAgentFact]: readonly (keyof AgentFacts[K])[] } = {
  'turn.started': ['turn'],
  'tool.ended': ['name', 'isError', 'denied', 'ms'],
  'usage.recorded': ['model', 'context', 'window', 'ms', 'cost'],
  'context.compacted': ['how', 'before', 'after', 'archived'],
  'turn.ended': ['turn', 'status', 'calls'],
};

function tell(log: Logger, session: string, { type, data }: Fact): void {
  if (!isLogged(type) || !isRecord(data)) return;
  const picked = PICKED[type].map((name) => [name, data[name]] as const);
  const { error } = data;
  const why = isRecord(error) ? { code: error['code'], error: error['message'] } : {};
  const fields = { session, ...Object.fromEntries(picked), ...why } as LogFields;
  if (isRecord(error)) log.error(type, fields);
  else log.info(type, fields);
}
