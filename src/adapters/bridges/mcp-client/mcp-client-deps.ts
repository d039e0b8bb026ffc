import type { AskModel, AskUser } from '#spec/ports';
import type { Fetch } from './oauth/guarded-fetch.ts';
import type { TokenStore } from './oauth/sign-in.ts';
import type { KnownServer } from './tool-list.ts';

/** Keeps what is known of a server between starts, so that its tools can be offered without starting it. */
export interface ToolCache {
  read(server: string): Promise<unknown>;
  write(server: string, known: KnownServer): Promise<void>;
}

/** What MCP clients are given. */
export interface McpClientDeps {
  readonly version: string;
  readonly cache: ToolCache;
  readonly tokens: TokenStore;
  /** Folders that servers are told of; the first is where their processes stand. */
  roots(): readonly string[];
  /** What a server process is given a small part of: see `serverEnvironment`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** For what the user wrote down: the address of a server itself. */
  readonly fetch: Fetch;
  /**
   * For signing in, which leads where a server points to. It must connect only to addresses that it has checked; none
   * of its answers is a stream.
   */
  readonly fetchElsewhere: Fetch;
  /** Folders that no call of any server may reach into, whatever its permissions say. */
  readonly hidden: readonly string[];
  /** Takes the secrets of all servers out of a text. */
  readonly clean: (text: string) => string;
  /** For questions that belong to no conversation. A running call brings its own. */
  readonly sample?: AskModel;
  readonly elicit?: AskUser;
  readonly openBrowser?: (url: string) => Promise<void>;
  /** `calm`: nothing is wrong. */
  log(event: { readonly server: string; readonly text: string; readonly calm?: boolean }): void;
  readonly now: () => number;
  /** A server that nobody has used for so long is stopped until somebody does. */
  readonly idleMs: number;
  /** How long to wait before a restart, counted from 1. */
  readonly restartMs: (restart: number) => number;
}
