interface ServedSession {
  readonly id: string;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

interface ServedMessage {
  readonly role: string;
  readonly text: string;
  readonly at: number;
}

interface ServedApproval {
  readonly id: string;
  readonly tool: string;
  /** What would happen, for people: secrets redacted, nothing hidden. */
  readonly shown: string;
  readonly reasons: readonly string[];
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** What Hermes shows to MCP clients. Parts that are absent are not offered. */
export interface McpServed {
  readonly sessions?: {
    list(limit: number): Promise<readonly ServedSession[]>;
    /** Messages after a position; undefined when there is no such session. */
    read(
      id: string,
      after: number,
      limit: number,
    ): Promise<{ readonly messages: readonly ServedMessage[]; readonly next?: number } | undefined>;
    search(
      query: string,
      limit: number,
    ): Promise<readonly (ServedMessage & { readonly session: string; readonly title: string })[]>;
  };
  readonly approvals?: {
    /** Those that wait for somebody. */
    list(): Promise<readonly ServedApproval[]>;
    /** False: it was decided, used or too late. */
    decide(id: string, granted: boolean): Promise<boolean>;
  };
}
