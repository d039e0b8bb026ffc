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
  readonly fetch: Fetch;
  /** For questions that belong to no conversation. A running call brings its own. */
  readonly sample?: AskModel;
  readonly elicit?: AskUser;
  readonly openBrowser?: (url: string) => Promise<void>;
  log(event: { readonly server: string; readonly text: string }): void;
  readonly now: () => number;
  /** How long to wait before a restart, counted from 1. */
  readonly restartMs: (restart: number) => number;
}
