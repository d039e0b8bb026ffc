import type { EffectLevel } from '#spec/ports';
import type { McpAuth, McpServerConfig } from './mcp-server-config.ts';
import { levelOf, type ServerAccess, shownSchema } from './mcp-tool.ts';
import { judgeTool, mustConfirm } from './permissions/judge-call.ts';
import { isChanged } from './tool-book.ts';
import type { KnownServer, KnownTool } from './tool-list.ts';
import { toolName } from './tool-name.ts';

/** How a server is reached. Values of variables and headers stay where they are. */
type McpReachView =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: readonly string[];
    }
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly headers: readonly string[];
      readonly auth: McpAuth['type'];
    };

interface McpToolView {
  /** As the server calls it, and as models do. */
  readonly name: string;
  readonly as: string;
  readonly description: string;
  /** A JSON Schema. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly level: EffectLevel;
  /** Why it is not offered. */
  readonly refused?: string;
  /** A person is asked each time. */
  readonly confirm: boolean;
  /** It describes itself differently than when it was accepted. */
  readonly changed: boolean;
  /** Something in its description cannot be seen. */
  readonly hides: boolean;
}

export interface McpServerView {
  readonly reach: McpReachView;
  /** Whether it said that it has any. */
  readonly resources: boolean;
  readonly prompts: boolean;
  /** When its tools were learned, ms since the epoch; absent as long as nothing is known of it. */
  readonly learnedAt?: number;
  readonly offered: readonly McpToolView[];
}

/** What is known of a server without starting it. */
export function viewServer(
  { link: { config }, clean }: ServerAccess,
  known: KnownServer | undefined,
): McpServerView {
  return {
    reach: reachView(config, clean),
    resources: known?.resources ?? false,
    prompts: known?.prompts ?? false,
    ...(known ? { learnedAt: known.at } : {}),
    offered: (known?.tools ?? []).map((tool) => toolView(tool, config, clean, known)),
  };
}

function toolView(
  tool: KnownTool,
  { name: server, permissions }: McpServerConfig,
  clean: (text: string) => string,
  known: KnownServer | undefined,
): McpToolView {
  const refused = judgeTool(tool.name, permissions);
  return {
    name: tool.name,
    as: toolName(server, tool.name),
    description: clean(tool.description),
    input: shownSchema(tool, clean),
    level: levelOf(tool),
    ...(refused === undefined ? {} : { refused }),
    confirm: mustConfirm(tool.name, permissions),
    changed: known !== undefined && isChanged(known, tool),
    hides: tool.hides,
  };
}

function reachView({ reach }: McpServerConfig, clean: (text: string) => string): McpReachView {
  if (reach.kind === 'stdio') {
    const { command, args, env } = reach;
    return { kind: 'stdio', command: clean(command), args: args.map(clean), env: Object.keys(env) };
  }
  const { origin, pathname } = new URL(reach.url);
  return {
    kind: 'http',
    url: clean(`${origin}${pathname}`),
    headers: Object.keys(reach.headers),
    auth: reach.auth.type,
  };
}
