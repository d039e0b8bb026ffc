import type { Client, ProgressCallback } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { fail } from '#kit/app-error';
import { showHidden } from '#kit/hidden-characters';
import { isRecord } from '#kit/is-record';
import { type Deed, defineTool, type EffectLevel, type Tool, type ToolContext } from '#spec/ports';
import { type CallDeadline, callDeadline } from './call-deadline.ts';
import { toolResultOf } from './mcp-result.ts';
import type { McpPermissions, McpServerConfig } from './mcp-server-config.ts';
import type { CallJudgement } from './permissions/judge-call.ts';
import { limitQuery } from './permissions/limit-rows.ts';
import type { ServerLink } from './server-link.ts';
import { isChanged, type ToolBook } from './tool-book.ts';
import type { KnownTool } from './tool-list.ts';
import { toolName } from './tool-name.ts';

/** A server that reports progress may take this many times its limit. */
const PATIENCE = 5;

type Input = Record<string, unknown>;

export interface ServerAccess {
  readonly link: ServerLink;
  readonly book: ToolBook;
  /** What the folders that nobody may reach into, and the permissions of the server, say about a call. */
  judge(tool: string, input: unknown, permissions?: McpPermissions): CallJudgement;
  /** Takes secrets out of what the server said. */
  readonly clean: (text: string) => string;
}

/** A tool of a server, as one of ours. Its words and hints are those of a stranger: the rules of the file come first. */
export function mcpTool(known: KnownTool, access: ServerAccess): Tool {
  const { link, book, clean } = access;
  const { config } = link;
  /** What the tool said of itself when the gate last looked at it: nothing else may run on that agreement. */
  let judged = '';
  const current = () => book.now()?.tools.find(({ name }) => name === known.name) ?? known;
  return defineTool<Input>({
    name: toolName(config.name, known.name),
    toolset: `mcp-${config.name}`,
    description: `[${config.name}] ${clean(known.description)}`,
    input: inputOf(known, clean),
    deferred: true,
    effect: () => levelOf(current()),
    deed(input) {
      const tool = current();
      judged = tool.hash;
      return deedOf(tool, input, access);
    },
    async run(input, context) {
      // A server that was only known from the cache shows what it is now.
      await link.request(async () => undefined, context.signal);
      const tool = current();
      const all = book.now();
      if (!all?.tools.some(({ name }) => name === known.name))
        throw fail('tool.failed', `${config.name} has no tool ${known.name} any more.`);
      const moved = tool.hash !== known.hash || isChanged(all, tool);
      if (moved && judged !== tool.hash)
        throw fail('tool.refused', changedText(config, tool), 'Try again: then somebody is asked.');
      return call(tool, input, access, context);
    },
  });
}

async function call(
  tool: KnownTool,
  input: Input,
  { link, judge, clean }: ServerAccess,
  context: ToolContext,
): ReturnType<Tool['run']> {
  const { permissions } = link.config;
  const sent = permissions.maxRows === undefined ? input : limitQuery(input, permissions.maxRows);
  const onprogress =
    (deadline: CallDeadline): ProgressCallback =>
    ({ progress, total, message }) => {
      deadline.progress();
      const share = total === undefined ? String(progress) : `${progress}/${total}`;
      const line = [share, message].filter(Boolean).join(' ');
      context.update(showHidden(clean(line).slice(0, 200)));
    };
  const result = await requestFor(context, link, async (client, options, deadline) => {
    const { refuse } = judge(tool.name, sent);
    if (refuse) throw fail('tool.refused', refuse);
    return client.callTool(
      { name: tool.name, arguments: sent },
      { ...options, onprogress: onprogress(deadline) },
    );
  });
  return toolResultOf(result, permissions, { keep: (name, bytes) => context.keep(name, bytes), clean });
}

/** The SDK's own limit, behind ours: it cannot stand still while a person is asked. */
const SDK_LIMIT_MS = 24 * 3_600_000;

/** A request on behalf of a running call, within its time, in which the server may turn to whoever made it. */
export async function requestFor<T>(
  { session, ask, askModel, signal: stop }: ToolContext,
  link: ServerLink,
  run: (
    client: Client,
    options: { signal: AbortSignal; timeout: number },
    deadline: CallDeadline,
  ) => Promise<T>,
): Promise<T> {
  const { timeoutMs } = link.config;
  // Starting the server is not the call's time.
  await link.request(async () => undefined, stop);
  const deadline = callDeadline(timeoutMs, timeoutMs * PATIENCE);
  try {
    return await link.request(
      (client, signal) => run(client, { signal, timeout: SDK_LIMIT_MS }, deadline),
      stop,
      {
        caller: { session, ...(ask && { ask }), askModel, sampled: 0, asked: 0, hold: () => deadline.hold() },
        deadline: deadline.signal,
      },
    );
  } finally {
    deadline.clear();
  }
}

/**
 * Hints decide only where nothing else does; two that contradict each other count as the worse one. They are words of a
 * stranger: none makes a call so harmless that it would not be written down.
 */
export function levelOf({ readOnly, destructive }: Pick<KnownTool, 'readOnly' | 'destructive'>): EffectLevel {
  if (destructive === true) return 3;
  return readOnly === true || destructive === false ? 1 : 2;
}

function deedOf(tool: KnownTool, input: Input, { link, book, judge }: ServerAccess): Deed {
  const { config } = link;
  const { refuse, confirm } = judge(tool.name, input);
  const all = book.now();
  const reasons = [
    confirm,
    all && isChanged(all, tool) ? changedText(config, tool) : undefined,
    tool.hides ? `the description of ${tool.name} has characters that cannot be seen` : undefined,
  ].filter((reason) => reason !== undefined);
  const outward = tool.openWorld ?? tool.readOnly !== true;
  const host =
    config.reach.kind === 'http'
      ? new URL(config.reach.url).host
      : outward
        ? `mcp:${config.name}`
        : undefined;
  return {
    brings: ['untrusted'],
    ...(host !== undefined && { sendsTo: [host] }),
    ...(refuse !== undefined && { refuse }),
    ...(reasons.length > 0 && { confirm: reasons.join('; ') }),
  };
}

const changedText = ({ name }: McpServerConfig, tool: KnownTool): string =>
  `${tool.name} of ${name} describes itself differently than when it was accepted`;

/** The server checks its arguments; here they only have to be an object. The model sees the server's own schema. */
function inputOf(tool: KnownTool, clean: (text: string) => string): z.ZodType<Input> {
  return z.unknown().refine(isRecord, 'must be an object').meta(shownSchema(tool, clean));
}

/** The schema of a tool as it may be shown. One with a secret in it, as a default perhaps, is not worth mending. */
export function shownSchema({ input }: KnownTool, clean: (text: string) => string): KnownTool['input'] {
  const said = JSON.stringify(input);
  return clean(said) === said ? input : { type: 'object' };
}
