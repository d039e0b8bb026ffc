import { posix } from 'node:path';
import { isRecord } from '#kit/is-record';
import { toErrorRecord } from '#kit/app-error';
import { newId } from '#kit/new-id';
import type { ToolCallPart, ToolMessage, UserPart } from '#spec/data';
import type { AskUser, Footprint, Tool, ToolContext, ToolResult } from '#spec/ports';
import { DEFERRED_CALL } from './deferred-tools.ts';
import type { ToolSet } from './tool-set.ts';

/** Whether a call may be made. */
type Permission =
  /** `input`: what the tool gets in place of what was asked for; it has been judged. */
  | {
      readonly allowed: true;
      readonly input?: unknown;
      /** Something about this call that its result has to say. */
      readonly notice?: string;
    }
  | { readonly allowed: false; readonly reason: string };

/** Where calls are made, and who can be asked about them: what whoever judges them needs to know. */
interface CallScope {
  readonly session: string;
  readonly turn: number;
  /** One for each time that a turn runs: numbers come again, in other sessions and after `/undo`. */
  readonly run: string;
  /** Tells the user something about this turn. Absent where nobody listens. */
  readonly tell?: (notice: string) => void;
  /** Absent where nobody can be asked. */
  readonly ask: AskUser | undefined;
  readonly signal: AbortSignal;
}

/** Whether a call may be made. The same from the loop down to the gate. */
export type Permit = (
  tool: Tool,
  input: unknown,
  call: ToolCallPart,
  scope: CallScope,
) => Promise<Permission>;

/** What a single call needs. */
export interface CallDeps {
  readonly tools: ToolSet;
  readonly permit: Permit;
  readonly scope: CallScope;
  readonly contextFor: (call: ToolCallPart) => Omit<ToolContext, 'callTool'>;
  /** Makes a text fit to be sent: no secrets in it, and no longer than the limit. */
  readonly present: (text: string, limit: number, call: ToolCallPart) => Promise<string>;
  /** Takes secrets out of a line that people see. */
  readonly clean: (text: string) => string;
  readonly signal: AbortSignal;
}

export interface BatchDeps extends CallDeps {
  readonly onStart: (call: ToolCallPart) => Promise<void>;
  /** Stores the result before anything else happens. */
  readonly onEnd: (
    call: ToolCallPart,
    message: ToolMessage,
    ended: { summary: string; ms: number; denied: boolean },
  ) => Promise<void>;
}

/** How a batch went, call by call. */
export interface BatchReport {
  readonly messages: readonly ToolMessage[];
  readonly unknown: number;
  readonly malformed: number;
  /** A result said that the turn is over. */
  readonly endsTurn: boolean;
}

const MOST_AT_ONCE = 8;
const MOST_CHARS = 50_000;

type Prepared =
  | { readonly call: ToolCallPart; readonly tool: Tool; readonly input: unknown }
  | { readonly call: ToolCallPart; readonly problem: string; readonly kind: 'unknown' | 'malformed' };

/**
 * Runs the calls of one assistant message and gives each exactly one result, also when it is unknown, garbled,
 * refused, failed or interrupted. Calls that cannot get in each other's way run side by side, all others in order;
 * a call that is asked for twice runs once.
 */
export async function runToolBatch(calls: readonly ToolCallPart[], deps: BatchDeps): Promise<BatchReport> {
  const prepared = calls.map((call) => prepare(call, deps.tools));
  const results = new Map<string, Promise<ToolMessage>>();
  const shared = new Map<string, Promise<ToolResult>>();
  let endsTurn = false;
  const start = (item: Prepared): Promise<ToolMessage> => {
    const running = answer(item, shared, deps, () => {
      endsTurn = true;
    });
    results.set(item.call.id, running);
    return running;
  };
  for (const group of groups(prepared)) {
    for (let i = 0; i < group.length; i += MOST_AT_ONCE) {
      // All of them come to their end before a failure of the store does: nothing is written after it is told.
      const ended = await Promise.allSettled(group.slice(i, i + MOST_AT_ONCE).map(start));
      const broken = ended.find(({ status }) => status === 'rejected');
      if (broken?.status === 'rejected') throw broken.reason;
    }
    if (group.some(changesSomething)) forgetOthers(shared, group);
  }
  return {
    messages: await Promise.all(prepared.map(({ call }) => results.get(call.id) as Promise<ToolMessage>)),
    unknown: prepared.filter((item) => 'problem' in item && item.kind === 'unknown').length,
    malformed: prepared.filter((item) => 'problem' in item && item.kind === 'malformed').length,
    endsTurn,
  };
}

function prepare(written: ToolCallPart, tools: ToolSet): Prepared {
  const call = unwrapCall(written);
  const tool = tools.find(call.name);
  if (!tool) {
    const problem = `There is no tool called '${call.name}'. Available: ${tools.names.join(', ')}.`;
    return { call, problem, kind: 'unknown' };
  }
  let value: unknown;
  try {
    value = JSON.parse(call.arguments || '{}');
  } catch (error) {
    const problem = `The arguments are not valid JSON (${error instanceof Error ? error.message : error}). Send the call again.`;
    return { call, problem, kind: 'malformed' };
  }
  const parsed = tool.input.safeParse(value);
  if (parsed.success) return { call, tool, input: parsed.data };
  const issues = parsed.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`,
  );
  return {
    call,
    problem: `The arguments of ${tool.name} are wrong. ${issues.join('; ')}`,
    kind: 'malformed',
  };
}

/** A deferred tool that is called through `tool_call` is judged and run as itself. */
function unwrapCall(call: ToolCallPart): ToolCallPart {
  if (call.name !== DEFERRED_CALL) return call;
  try {
    const inner: unknown = JSON.parse(call.arguments);
    if (!isRecord(inner) || typeof inner.name !== 'string') return call;
    return { ...call, name: inner.name, arguments: JSON.stringify(inner.arguments ?? {}) };
  } catch {
    // Garbled as it is, it is refused as a call of `tool_call`.
    return call;
  }
}

/** Splits a batch into groups that run one after the other; the calls inside a group run side by side. */
function groups(items: readonly Prepared[]): Prepared[][] {
  const out: Prepared[][] = [];
  let open: { items: Prepared[]; reads: Set<string>; writes: Set<string> } | undefined;
  for (const item of items) {
    const print = footprint(item);
    if (!print) {
      out.push([item]);
      open = undefined;
      continue;
    }
    if (!open || collides(print, open)) {
      open = { items: [], reads: new Set(), writes: new Set() };
      out.push(open.items);
    }
    open.items.push(item);
    for (const name of print.reads ?? []) open.reads.add(name);
    for (const name of print.writes ?? []) open.writes.add(name);
  }
  return out;
}

/**
 * Undefined: must run alone, as one does that cannot tell. Reading tools collide with nothing but writers of the same
 * thing.
 */
function footprint(item: Prepared): Footprint | undefined {
  if ('problem' in item) return {};
  const { tool, input } = item;
  try {
    const print = tool.footprint?.(input);
    if (print) return print;
    return tool.effect(input) === 0 && tool.footprint === undefined ? {} : undefined;
  } catch {
    return undefined;
  }
}

const changesSomething = (item: Prepared): boolean => {
  const print = footprint(item);
  return !print || (print.writes?.length ?? 0) > 0;
};

/** After a change only what was part of it still holds: a file that is read again has something else in it. */
function forgetOthers(shared: Map<string, unknown>, group: readonly Prepared[]): void {
  const fresh = new Set(group.map(keyOf));
  for (const key of shared.keys()) if (!fresh.has(key)) shared.delete(key);
}

const keyOf = (item: Prepared): string =>
  'tool' in item ? JSON.stringify([item.tool.name, item.input]) : '';

function collides(
  { reads = [], writes = [] }: Footprint,
  open: { reads: Set<string>; writes: Set<string> },
): boolean {
  const hits = (name: string, names: Set<string>) => [...names].some((other) => overlaps(name, other));
  return (
    writes.some((name) => hits(name, open.writes) || hits(name, open.reads)) ||
    reads.some((name) => hits(name, open.writes))
  );
}

/** Paths overlap when one is the other or contains it. */
function overlaps(a: string, b: string): boolean {
  const [left, right] = [normal(a), normal(b)];
  return (
    left === right ||
    left.startsWith(`${right}/`) ||
    right.startsWith(`${left}/`) ||
    left === '.' ||
    right === '.'
  );
}

const normal = (path: string): string => posix.normalize(path).replace(/(?<=.)\/$/, '');

async function answer(
  item: Prepared,
  shared: Map<string, Promise<ToolResult>>,
  deps: BatchDeps,
  endTurn: () => void,
): Promise<ToolMessage> {
  const { call } = item;
  const started = performance.now();
  await deps.onStart(call);
  const result = await resultOf(item, shared, deps);
  if (result.endsTurn) endTurn();
  const name = 'tool' in item ? item.tool.name : call.name;
  const limit = ('tool' in item && item.tool.maxChars) || MOST_CHARS;
  const message: ToolMessage = {
    role: 'tool',
    callId: call.id,
    name,
    content: await presented(result.content, limit, item.call, deps),
    isError: result.isError ?? false,
  };
  const ms = performance.now() - started;
  const denied = result.denied ?? false;
  await deps.onEnd(call, message, { summary: deps.clean(result.summary), ms, denied });
  return message;
}

async function resultOf(
  item: Prepared,
  shared: Map<string, Promise<ToolResult>>,
  deps: CallDeps,
): Promise<ToolResult> {
  if (deps.signal.aborted) return problem('Interrupted by the user before it ran.');
  if ('problem' in item) return problem(item.problem);
  const { call, tool, input } = item;
  return untilInterrupted(deps.signal, async () => {
    const permission = await deps.permit(tool, input, call, deps.scope);
    if (!permission.allowed) return { ...problem(`Not allowed: ${permission.reason}`), denied: true };
    if (deps.signal.aborted) return INTERRUPTED;
    const given = permission.input ?? input;
    const key = keyOf({ ...item, input: given });
    const running = shared.get(key) ?? tool.run(given, contextOf(call, tool, deps));
    shared.set(key, running);
    const { notice } = permission;
    if (!notice) return running;
    const result = await running;
    return { ...result, content: [...result.content, { type: 'text', text: notice }] };
  });
}

/** What throws has failed; what does not stop when asked, a tool or a question to the user, is left behind. */
async function untilInterrupted(signal: AbortSignal, run: () => Promise<ToolResult>): Promise<ToolResult> {
  const interrupted = new Promise<ToolResult>((resolve) => {
    signal.addEventListener('abort', () => resolve(INTERRUPTED), { once: true });
  });
  const finished = run().catch((thrown: unknown) => {
    const { message, hint } = toErrorRecord(thrown);
    return problem(hint ? `${message} (${hint})` : message);
  });
  return Promise.race([interrupted, finished]);
}

const problem = (text: string): ToolResult => ({
  content: [{ type: 'text', text }],
  summary: text.split('\n')[0]?.slice(0, 160) ?? '',
  isError: true,
});

const INTERRUPTED = problem('Interrupted by the user.');

function presented(
  content: readonly UserPart[],
  limit: number,
  call: ToolCallPart,
  deps: CallDeps,
): Promise<UserPart[]> {
  return Promise.all(
    content.map(async (part) =>
      part.type === 'text' ? { ...part, text: await deps.present(part.text, limit, call) } : part,
    ),
  );
}

/** What a running call has at hand, calls of its own included: those pass the same checks and are shown as its progress. */
function contextOf(call: ToolCallPart, tool: Tool, deps: CallDeps): ToolContext {
  const given = deps.contextFor(call);
  const context = { ...given, update: (text: string) => given.update(deps.clean(text)) };
  const inner = async (name: string, input: unknown): Promise<ToolResult> => {
    const result = await callTool(name, input, deps, tool.name);
    context.update(`${name}: ${result.summary}`);
    return result;
  };
  return { ...context, callTool: inner };
}

/** Calls one tool outside of a batch as if a model had: checked, asked about, bounded. It never throws. */
export async function callTool(
  name: string,
  input: unknown,
  deps: CallDeps,
  /** The tool that calls. */
  caller?: string,
): Promise<ToolResult> {
  const call: ToolCallPart = {
    type: 'tool_call',
    id: newId('call'),
    name,
    arguments: JSON.stringify(input ?? {}),
  };
  const item = prepare(call, deps.tools);
  if ('tool' in item && item.tool.name === caller) return problem(`${caller} cannot call itself.`);
  const result = await resultOf(item, new Map(), deps);
  const limit = ('tool' in item && item.tool.maxChars) || MOST_CHARS;
  return { ...result, content: await presented(result.content, limit, call, deps) };
}
