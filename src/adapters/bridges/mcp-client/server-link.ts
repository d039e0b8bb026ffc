import type { Client } from '@modelcontextprotocol/client';
import { AppError, fail } from '#kit/app-error';
import { redact } from '#kit/redact';
import { sleep } from '#kit/sleep';
import { type Caller, openCallers } from './callers.ts';
import { connect, type Connection } from './connect.ts';
import type { McpClientDeps } from './mcp-client-deps.ts';
import type { McpServerConfig } from './mcp-server-config.ts';
import { textRing } from './text-ring.ts';

export type McpServerState = 'idle' | 'starting' | 'ready' | 'failed' | 'restarting' | 'off';

export interface LinkStatus {
  readonly state: McpServerState;
  /** When it came into that state, in milliseconds since the epoch. */
  readonly since: number;
  readonly restarts: number;
  readonly error?: string;
  readonly pid?: number;
  /** The revision of the protocol that was agreed on. */
  readonly revision?: string;
}

type Run<T> = (client: Client, signal: AbortSignal) => Promise<T>;

interface Until {
  readonly stop: AbortSignal;
  readonly deadline: AbortSignal;
}

const NEVER = new AbortController().signal;
const MOST_RESTARTS = 5;
const MOST_FAILURES = 3;
const REST_MS = 60_000;
const STABLE_MS = 60_000;
const ALIVE_MS = 5_000;
const OUTPUT_CHARS = 16_000;

/**
 * The connection to one server: opened at the first use, opened again after a crash or a hang, and left alone for a
 * while after it has failed too often. What goes wrong at the server ends a call, never more.
 */
export class ServerLink {
  readonly config: McpServerConfig;
  readonly #deps: McpClientDeps;
  readonly #onConnected: (client: Client) => Promise<void>;
  readonly #callers = openCallers();
  readonly #output = textRing(OUTPUT_CHARS);
  readonly #closed = new AbortController();
  #connection: Connection | undefined;
  #opening: Promise<Connection> | undefined;
  #restarting: Promise<void> | undefined;
  #state: McpServerState;
  #since: number;
  #error: string | undefined;
  #restarts = 0;
  /** Restarts and failures since it last worked for a while. */
  #inARow = 0;
  #failures = 0;
  #restUntil = 0;
  /** Requests that are under way. */
  #requests = 0;
  #idle: NodeJS.Timeout | undefined;
  #idleDrop: Promise<void> | undefined;

  /** `onConnected` may ask the server things before anybody else does. */
  constructor(config: McpServerConfig, deps: McpClientDeps, onConnected: (client: Client) => Promise<void>) {
    this.config = config;
    this.#deps = deps;
    this.#onConnected = onConnected;
    this.#state = config.disabled ? 'off' : config.missing.length > 0 ? 'failed' : 'idle';
    this.#since = deps.now();
    if (config.missing.length > 0) this.#error = `not set: ${config.missing.join(', ')}`;
  }

  status(): LinkStatus {
    const revision = this.#connection?.client.getNegotiatedProtocolVersion();
    return {
      state: this.#state,
      since: this.#since,
      restarts: this.#restarts,
      ...(this.#error !== undefined && { error: this.#deps.clean(this.#error) }),
      ...(this.#connection?.pid !== undefined && { pid: this.#connection.pid }),
      ...(revision !== undefined && { revision }),
    };
  }

  /** The end of what the process wrote to its standard error. */
  output(): string {
    const { reach } = this.config;
    const given = reach.kind === 'stdio' ? Object.values(reach.env) : [];
    return redact(this.#deps.clean(this.#output.text()), given);
  }

  /** Somebody wants it opened anew: earlier failures do not count, and what is open and not in use is closed. */
  async reset(): Promise<void> {
    this.#restUntil = 0;
    this.#failures = 0;
    this.#inARow = 0;
    const connection = this.#connection;
    if (this.#requests > 0 || !connection) return;
    this.#enter('idle');
    await this.#drop(connection);
  }

  /** Makes one request, within a deadline, for a caller whom the server may turn to meanwhile. */
  async request<T>(
    run: Run<T>,
    signal: AbortSignal,
    { caller, deadline = NEVER }: { readonly caller?: Caller; readonly deadline?: AbortSignal } = {},
  ): Promise<T> {
    const stop = AbortSignal.any([signal, this.#closed.signal]);
    const leave = caller ? this.#callers.enter(caller) : () => undefined;
    this.#requests++;
    clearTimeout(this.#idle);
    try {
      return await this.#tried(run, { stop, deadline }, 0);
    } catch (error) {
      throw cleanError(error, this.#deps.clean);
    } finally {
      leave();
      this.#requests--;
      this.#stopWhenIdle();
    }
  }

  /** Stops a server after a while in which nobody asked it anything. The next request starts it again. */
  #stopWhenIdle(): void {
    clearTimeout(this.#idle);
    const connection = this.#connection;
    if (this.#requests > 0 || !connection || this.#closed.signal.aborted) return;
    this.#idle = setTimeout(() => {
      if (this.#requests > 0 || this.#connection !== connection) return;
      this.#deps.log({ server: this.config.name, text: 'stopped: nobody used it', calm: true });
      this.#enter('idle');
      this.#idleDrop = this.#drop(connection);
    }, this.#deps.idleMs).unref();
  }

  async #tried<T>(run: Run<T>, until: Until, attempt: number): Promise<T> {
    const connection = await this.#open(until.stop);
    try {
      const result = await run(connection.client, AbortSignal.any([until.stop, until.deadline]));
      this.#failures = 0;
      return result;
    } catch (error) {
      if (until.stop.aborted) throw fail('tool.failed', 'interrupted', undefined, error);
      if (until.deadline.aborted) {
        await this.#checkAlive(connection);
        throw this.#problem(until.deadline.reason);
      }
      if (attempt === 0 && (await this.#mended(connection, error))) return this.#tried(run, until, 1);
      if (await isUnreachable(error)) {
        await this.#drop(connection);
        throw this.#failed(`could not be reached: ${this.#said(error)}`);
      }
      throw this.#problem(error);
    }
  }

  /** Whether a request that the server did not take can be sent again: with more rights, or in a new session. */
  async #mended(connection: Connection, error: unknown): Promise<boolean> {
    const { InsufficientScopeError, SdkHttpError } = await import('@modelcontextprotocol/client');
    if (InsufficientScopeError.isInstance(error)) return (await connection.signIn?.stepUp(error)) ?? false;
    if (!SdkHttpError.isInstance(error) || error.status !== 404) return false;
    await this.#drop(connection);
    return true;
  }

  /** A call that took too long may mean that the server hangs: one that does not answer any more is ended. */
  async #checkAlive(connection: Connection): Promise<void> {
    if (connection !== this.#connection) return;
    const patience = Math.min(ALIVE_MS, Math.max(1_000, this.config.timeoutMs));
    try {
      await connection.client.listTools({}, { cacheMode: 'bypass', timeout: patience });
    } catch (silence) {
      this.#deps.log({ server: this.config.name, text: `does not answer: ${String(silence)}` });
      await this.#drop(connection);
      this.#lost(`hung: no answer within ${patience / 1_000} s`);
    }
  }

  #problem(error: unknown): AppError {
    if (error instanceof AppError) return error;
    const text = error instanceof Error ? error.message : String(error);
    const state = this.#state === 'restarting' ? ' It is being restarted.' : '';
    return fail('tool.failed', `${this.config.name}: ${text}.${state}`, undefined, error);
  }

  async #open(signal: AbortSignal): Promise<Connection> {
    if (this.#closed.signal.aborted || this.#state === 'off')
      throw fail('tool.failed', `The MCP server ${this.config.name} is switched off.`);
    if (this.config.missing.length > 0)
      throw fail(
        'tool.failed',
        `The MCP server ${this.config.name} needs ${this.config.missing.join(', ')}.`,
      );
    await this.#restarted(signal);
    if (this.#connection) return this.#connection;
    const rest = this.#restUntil - this.#deps.now();
    if (rest > 0)
      throw new AppError({
        code: 'tool.failed',
        message: `The MCP server ${this.config.name} has failed too often: ${this.#error ?? ''}`,
        hint: `It is tried again in ${Math.ceil(rest / 1_000)} s. See: hermes mcp status`,
        retry: { again: true, afterMs: rest },
      });
    this.#opening ??= this.#start().finally(() => {
      this.#opening = undefined;
    });
    return orAborted(this.#opening, signal);
  }

  /** Waits for a restart that is under way, as long as a start may take. */
  async #restarted(signal: AbortSignal): Promise<void> {
    if (!this.#restarting) return;
    const patience = AbortSignal.timeout(this.config.connectTimeoutMs);
    try {
      await orAborted(this.#restarting, AbortSignal.any([signal, patience]));
    } catch (error) {
      if (!patience.aborted) throw error;
      throw fail(
        'tool.failed',
        `The MCP server ${this.config.name} is being restarted: ${this.#error ?? ''}`,
        undefined,
        error,
      );
    }
  }

  async #start(): Promise<Connection> {
    this.#enter(this.#restarts > 0 && this.#state === 'restarting' ? 'restarting' : 'starting');
    const { config } = this;
    const deadline = deadlineOf(config, this.#deps);
    try {
      const plan = {
        config,
        deps: deadline.deps,
        callers: this.#callers,
        output: this.#output,
        onToolsChanged: () => this.#toolsChanged(),
      };
      const connection = await connect(plan, AbortSignal.any([deadline.signal, this.#closed.signal]));
      Object.assign(connection.client, {
        onclose: () => this.#ended(connection),
        onerror: (error: Error) => this.#deps.log({ server: config.name, text: error.message }),
      });
      this.#connection = connection;
      await this.#onConnected(connection.client);
      this.#enter('ready');
      this.#error = undefined;
      this.#stopWhenIdle();
      return connection;
    } catch (error) {
      const late = deadline.signal.aborted ? ` within ${config.connectTimeoutMs / 1_000} s` : '';
      await this.#drop(this.#connection);
      throw this.#failed(`could not be started${late}: ${this.#said(error)}`);
    } finally {
      deadline.clear();
    }
  }

  #failed(text: string): AppError {
    this.#error = text;
    this.#enter('failed');
    this.#failures++;
    if (this.#failures >= MOST_FAILURES) this.#restUntil = this.#deps.now() + REST_MS;
    this.#deps.log({ server: this.config.name, text });
    return fail('tool.failed', `The MCP server ${this.config.name} ${text}`, 'See: hermes mcp status');
  }

  /** An error and the last lines that the process left. */
  #said(error: unknown): string {
    const text = error instanceof AppError || error instanceof Error ? error.message : String(error);
    const lines = this.output().trim().split('\n').slice(-3).join(' | ').slice(-400);
    return lines ? `${text} (${lines})` : text;
  }

  #toolsChanged(): void {
    const { client } = this.#connection ?? {};
    if (!client) return;
    this.#onConnected(client).catch((error: unknown) =>
      this.#deps.log({ server: this.config.name, text: `could not list its tools: ${String(error)}` }),
    );
  }

  #ended(connection: Connection): void {
    if (this.#connection !== connection || this.#closed.signal.aborted) return;
    this.#connection = undefined;
    // While it is being started, whoever starts it hears of the end.
    if (this.#opening === undefined)
      this.#lost(`ended unexpectedly: ${this.#said('')}`.replace(/: ?\(?$/, ''));
  }

  /** It was there and is not any more: it comes back by itself, each time later, and not for ever. */
  #lost(text: string): void {
    this.#error = text;
    if (this.#deps.now() - this.#since > STABLE_MS) this.#inARow = 0;
    this.#deps.log({ server: this.config.name, text });
    if (this.config.reach.kind === 'http') return this.#enter('idle');
    if (++this.#inARow > MOST_RESTARTS) {
      this.#restUntil = this.#deps.now() + REST_MS;
      this.#inARow = 0;
      return this.#enter('failed');
    }
    this.#restarts++;
    this.#enter('restarting');
    this.#restarting ??= this.#restart().finally(() => {
      this.#restarting = undefined;
    });
  }

  async #restart(): Promise<void> {
    while (await sleep(this.#deps.restartMs(this.#inARow), this.#closed.signal)) {
      this.#opening ??= this.#start().finally(() => {
        this.#opening = undefined;
      });
      try {
        await this.#opening;
        return;
      } catch (error) {
        if (this.#closed.signal.aborted || ++this.#inARow > MOST_RESTARTS) break;
        this.#deps.log({ server: this.config.name, text: `restart failed: ${String(error)}` });
        this.#restarts++;
        this.#enter('restarting');
      }
    }
    if (this.#closed.signal.aborted) return;
    this.#restUntil = this.#deps.now() + REST_MS;
    this.#inARow = 0;
    this.#enter('failed');
  }

  #enter(state: McpServerState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#since = this.#deps.now();
  }

  async #drop(connection: Connection | undefined): Promise<void> {
    if (!connection) return;
    if (this.#connection === connection) this.#connection = undefined;
    await connection
      .close()
      .catch((error: unknown) =>
        this.#deps.log({ server: this.config.name, text: `could not be closed: ${String(error)}` }),
      );
  }

  async close(): Promise<void> {
    this.#closed.abort();
    clearTimeout(this.#idle);
    await this.#idleDrop;
    // Whoever wanted it open was told why it is not.
    await this.#opening?.catch(() => undefined);
    await this.#restarting;
    await this.#drop(this.#connection);
    if (this.#state !== 'off') this.#enter('idle');
  }
}

/** The same without secrets. What it was made of is left out where it has any. */
function cleanError(error: unknown, clean: (text: string) => string): unknown {
  if (!(error instanceof AppError)) {
    const text = error instanceof Error ? error.message : String(error);
    return clean(text) === text ? error : fail('tool.failed', clean(text));
  }
  const { record, cause } = error;
  const message = clean(record.message);
  const said = `${record.message} ${cause instanceof Error ? cause.message : ''}`;
  return clean(said) === said ? error : new AppError({ ...record, message });
}

/** Whether the way to a server is broken, rather than what it was asked. */
async function isUnreachable(error: unknown): Promise<boolean> {
  const { SdkHttpError } = await import('@modelcontextprotocol/client');
  return error instanceof TypeError || (SdkHttpError.isInstance(error) && error.status >= 500);
}

/** A deadline for connecting that stands still while a person signs in. */
function deadlineOf(
  { connectTimeoutMs }: McpServerConfig,
  deps: McpClientDeps,
): { readonly signal: AbortSignal; readonly deps: McpClientDeps; clear(): void } {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  const arm = () => {
    clearTimeout(timer);
    if (over) return;
    timer = setTimeout(() => late.abort(new Error('too late')), connectTimeoutMs);
  };
  arm();
  const { openBrowser } = deps;
  const opened = openBrowser && {
    openBrowser: async (url: string) => {
      clearTimeout(timer);
      await openBrowser(url);
    },
  };
  const tokens = {
    read: (server: string) => deps.tokens.read(server),
    async write(server: string, value: unknown) {
      arm();
      await deps.tokens.write(server, value);
    },
  };
  const clear = () => {
    over = true;
    clearTimeout(timer);
  };
  return { signal: late.signal, deps: { ...deps, tokens, ...opened }, clear };
}

/** Gives up waiting when the signal aborts; what was waited for goes on. */
async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) throw fail('tool.failed', 'interrupted');
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(fail('tool.failed', 'interrupted'));
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([promise, stopped.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
