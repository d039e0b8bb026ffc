import type { ErrorCode } from '#spec/data';

/** One line of the log. It holds no token, no body and no query. */
export interface ServerLogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly event:
    | 'server.started'
    | 'server.stopped'
    | 'request.served'
    | 'request.failed'
    | 'reach.turned'
    | 'config.unread'
    | 'home.failing'
    | 'home.healed'
    | 'message.kept';
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly requestId?: string;
  readonly method?: string;
  /** The pattern of the route; the path only where no route fits. */
  readonly route?: string;
  readonly path?: string;
  readonly status?: number;
  readonly ms?: number;
  readonly bytes?: number;
  readonly address?: string;
  /** The channel and user that the token stands for. */
  readonly principal?: string;
  /** The connection ended before the answer did. */
  readonly aborted?: boolean;
  readonly error?: string;
  /** Which kind of trouble the home is in. */
  readonly code?: ErrorCode;
  readonly url?: string;
  /** What it is about, such as `telemetry/prometheus`, and how it does now. */
  readonly about?: string;
  readonly state?: string;
  /** Of a message in a channel: where it came from, and the id under which it stands in the inbox. */
  readonly source?: string;
  readonly message?: string;
  readonly incident?: string;
}

export type ServerLogger = (line: ServerLogLine) => void;
