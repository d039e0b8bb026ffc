import { z } from 'zod';
import { fail } from '#kit/app-error';
import { showHidden } from '#kit/hidden-characters';
import { nearest } from '#kit/nearest';
import { type Deed, defineTool, type Tool, type ToolResult } from '#spec/ports';
import { resourceResultOf, toolResultOf } from './mcp-result.ts';
import { requestFor, type ServerAccess } from './mcp-tool.ts';

const MOST_LISTED = 200;

type Has = 'resources' | 'prompts';
type Clean = (text: string) => string;

/** Resources and prompts of all servers, behind a few tools; none of them where no server has any. */
export function sharedTools(servers: ReadonlyMap<string, ServerAccess>, clean: Clean): Tool[] {
  const having = (what: Has) =>
    [...servers].filter(([, { book }]) => book.now()?.[what]).map(([name]) => name);
  return [
    ...(having('resources').length > 0 ? [listResources(servers, having, clean), readResource(servers)] : []),
    ...(having('prompts').length > 0 ? [listPrompts(servers, having, clean), getPrompt(servers)] : []),
  ];
}

function accessTo(servers: ReadonlyMap<string, ServerAccess>, name: string): ServerAccess {
  const found = servers.get(name);
  if (found) return found;
  const close = nearest(name, servers.keys());
  throw fail('input.invalid', `There is no MCP server ${name}.${close ? ` Did you mean ${close}?` : ''}`);
}

const listInput = z.strictObject({ server: z.string().optional() });
const untrusted = (): Deed => ({ brings: ['untrusted'] });
/** They only read, but what a stranger does with a request is its own affair: each one is written down. */
const shared = { toolset: 'mcp', deferred: true, effect: () => 1 as const };

const listing = (lines: readonly string[], what: string): ToolResult => ({
  content: [{ type: 'text', text: lines.map((line) => showHidden(line)).join('\n') || `No ${what}.` }],
  summary: `${lines.length} ${what}`,
});

function listResources(
  servers: ReadonlyMap<string, ServerAccess>,
  having: (what: Has) => string[],
  clean: Clean,
): Tool {
  return defineTool<z.infer<typeof listInput>>({
    ...shared,
    name: 'mcp_list_resources',
    description: 'List the resources and resource templates of an MCP server, or of all of them.',
    input: listInput,
    deed: untrusted,
    async run({ server }, context) {
      const lines: string[] = [];
      for (const name of server === undefined ? having('resources') : [server]) {
        const { link } = accessTo(servers, name);
        const found = await requestFor(context, link, async (client, options) => ({
          ...(await client.listResources({}, options)),
          ...(await client.listResourceTemplates({}, options)),
        }));
        for (const { uri, name: title, description = '' } of found.resources)
          lines.push(clean(`${name} ${uri} ${title} ${description}`).slice(0, 400));
        for (const { uriTemplate, name: title, description = '' } of found.resourceTemplates)
          lines.push(clean(`${name} template ${uriTemplate} ${title} ${description}`).slice(0, 400));
      }
      return listing(lines.slice(0, MOST_LISTED), 'resources');
    },
  });
}

const readInput = z.strictObject({ server: z.string(), uri: z.string() });

function readResource(servers: ReadonlyMap<string, ServerAccess>): Tool {
  const refusal = ({ server, uri }: z.infer<typeof readInput>) => {
    const { link, judge } = accessTo(servers, server);
    // Rules for tools do not speak of resources; those for paths do.
    const { allowedPaths, deniedPaths, maxFileBytes } = link.config.permissions;
    const paths = {
      ...(allowedPaths && { allowedPaths }),
      ...(deniedPaths && { deniedPaths }),
      ...(maxFileBytes && { maxFileBytes }),
    };
    return judge('resource', { uri }, paths).refuse;
  };
  return defineTool<z.infer<typeof readInput>>({
    ...shared,
    name: 'mcp_read_resource',
    description: 'Read a resource of an MCP server by its URI.',
    input: readInput,
    deed(input) {
      const refuse = servers.has(input.server) ? refusal(input) : undefined;
      return { ...untrusted(), ...(refuse !== undefined && { refuse }) };
    },
    async run(input, context) {
      const { link, clean } = accessTo(servers, input.server);
      const result = await requestFor(context, link, async (client, options) => {
        const refuse = refusal(input);
        if (refuse) throw fail('tool.refused', refuse);
        return client.readResource({ uri: input.uri }, options);
      });
      return resourceResultOf(result, link.config.permissions, {
        keep: (name, bytes) => context.keep(name, bytes),
        clean,
      });
    },
  });
}

function listPrompts(
  servers: ReadonlyMap<string, ServerAccess>,
  having: (what: Has) => string[],
  clean: Clean,
): Tool {
  return defineTool<z.infer<typeof listInput>>({
    ...shared,
    name: 'mcp_list_prompts',
    description: 'List the prompts of an MCP server, or of all of them, with their arguments.',
    input: listInput,
    deed: untrusted,
    async run({ server }, context) {
      const lines: string[] = [];
      for (const name of server === undefined ? having('prompts') : [server]) {
        const { link } = accessTo(servers, name);
        const { prompts } = await requestFor(context, link, (client, options) =>
          client.listPrompts({}, options),
        );
        for (const prompt of prompts) {
          const taken = (prompt.arguments ?? []).map(
            (argument) => `${argument.name}${argument.required ? '' : '?'}`,
          );
          lines.push(
            clean(`${name} ${prompt.name}(${taken.join(', ')}) ${prompt.description ?? ''}`).slice(0, 400),
          );
        }
      }
      return listing(lines.slice(0, MOST_LISTED), 'prompts');
    },
  });
}

const promptInput = z.strictObject({
  server: z.string(),
  name: z.string(),
  arguments: z.record(z.string(), z.string()).optional(),
});

function getPrompt(servers: ReadonlyMap<string, ServerAccess>): Tool {
  // Of the permissions, none speaks of prompts.
  const refusal = ({ server, name, arguments: given }: z.infer<typeof promptInput>) =>
    servers.has(server) ? accessTo(servers, server).judge('prompt', { name, given }, {}).refuse : undefined;
  return defineTool<z.infer<typeof promptInput>>({
    ...shared,
    name: 'mcp_get_prompt',
    description: 'Get a prompt of an MCP server, filled in with its arguments.',
    input: promptInput,
    deed(input) {
      const refuse = refusal(input);
      return { ...untrusted(), ...(refuse !== undefined && { refuse }) };
    },
    async run(input, context) {
      const { server, name, arguments: given } = input;
      const { link, clean } = accessTo(servers, server);
      const { messages } = await requestFor(context, link, async (client, options) => {
        const refuse = refusal(input);
        if (refuse) throw fail('tool.refused', refuse);
        return client.getPrompt({ name, ...(given && { arguments: given }) }, options);
      });
      const content = messages.flatMap(({ role, content: block }) => [
        { type: 'text' as const, text: `${role}:` },
        block,
      ]);
      return toolResultOf({ content }, link.config.permissions, {
        keep: (file, bytes) => context.keep(file, bytes),
        clean,
      });
    },
  });
}
