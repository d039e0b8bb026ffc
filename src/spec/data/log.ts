import type { AgentFacts } from './event.ts';
import type { ErrorCode } from './error.ts';
import type { IncidentFacts } from './incident-record.ts';

/** From what is only of use to find a mistake to what somebody must mend. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type LogValue = string | number | boolean | readonly string[] | undefined;
/** Numbers, names, ids and short sentences about a thing. Never the words of a conversation. */
export type LogFields = Readonly<Record<string, LogValue>>;

/** Something went wrong: what was thrown, or what was said of it. */
interface Trouble {
  readonly thrown?: unknown;
  readonly error?: string;
}

/** A request over HTTP. It holds no token, no body and no query. */
interface RequestFields {
  readonly requestId: string;
  readonly method: string;
  /** The pattern of the route; the path only where no route fits. */
  readonly route?: string;
  readonly path?: string;
  readonly status: number;
  readonly ms: number;
  readonly bytes: number;
  readonly address: string;
  /** The channel and user that the token stands for. */
  readonly principal?: string;
  /** The connection ended before the answer did. */
  readonly aborted?: boolean;
}

/** What happened in an incident or a session, by the name of its fact; the fact itself is kept with it. */
type FactLines = { [K in keyof IncidentFacts]: LogFields } & { [K in LoggedAgentFact]: LogFields };

/** Facts of a session that are worth a line. The words of the conversation are not. */
export type LoggedAgentFact = Extract<
  keyof AgentFacts,
  'turn.started' | 'tool.ended' | 'usage.recorded' | 'context.compacted' | 'turn.ended'
>;

/** Every event that can be in the log, and what is told of it. A new kind of line is a new entry here. */
export interface LogEvents extends FactLines {
  'server.started': { readonly url: string };
  'server.stopped': { readonly url: string };
  /** It could not start, or ended by a mistake. */
  'server.failed': Trouble;
  'request.served': RequestFields;
  'request.failed': RequestFields & Trouble;
  /** What Node warns of, and what ended the process. */
  'process.warned': { readonly name: string } & Trouble;
  'process.crashed': Trouble;
  /** A command of the terminal ended by a mistake of ours. */
  'command.failed': Trouble;
  /** Something is reached again, or no longer. */
  'reach.turned': { readonly about: string; readonly state: string } & Trouble;
  'config.unread': { readonly about: string } & Trouble;
  'secrets.open': { readonly path: string; readonly fix: string };
  /** The place where the home is kept cannot be written, or can again. */
  'home.failing': { readonly code: ErrorCode } & Trouble;
  'home.healed': LogAbout;
  /** A message of a channel, under the id that it has in the inbox. */
  'message.kept': { readonly source: string; readonly message: string };
  /** What became of alerts that came together: `created`, `joined`, `resolved`, `refired`, `suppressed`. */
  'alerts.taken': {
    readonly source: string;
    readonly outcome: string;
    readonly alerts: number;
    readonly title?: string | undefined;
    readonly severity?: string | undefined;
    readonly service?: string | undefined;
  };
  'stage.ended': { readonly stage: string; readonly round: number; readonly ms: number };
  'stage.failed': { readonly stage: string; readonly round: number; readonly ms: number } & Trouble;
  /** A flow ended by a mistake, or could not be gone on with. */
  'flow.failed': { readonly flow?: string } & Trouble;
  'hook.failed': {
    readonly plugin: string;
    readonly hook: string;
    readonly on: string;
    readonly off: boolean;
  } & Trouble;
  'audit.failed': Trouble;
  'tracing.failed': Trouble;
  /** What the client of an MCP server notices of it. */
  'mcp.told': { readonly server: string; readonly text: string };
  /** What a sandbox did beside a command and could not: to end it, to look at it, to clean up. */
  'sandbox.failed': { readonly sandbox: string; readonly doing: string } & Trouble;
  'browser.failed': { readonly doing: string } & Trouble;
  /** Something was left out, and the rest went on without it. */
  'part.failed': { readonly part: string } & Trouble;
}

export type LogEvent = keyof LogEvents;

/** What a line belongs to, besides what it tells. */
export interface LogAbout {
  readonly incident?: string | undefined;
  readonly session?: string | undefined;
}

/** One line of the log. */
export interface LogRecord extends LogAbout {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly level: LogLevel;
  readonly event: LogEvent;
  /** Which process wrote it. */
  readonly pid: number;
  /** Of what was thrown: its code and its message, with its place where it is a mistake of ours. */
  readonly code?: ErrorCode;
  readonly error?: string;
  readonly [field: string]: unknown;
}
