import type { Files, Tool, ToolContext, ToolResult } from '#spec/ports';
import { temporaryWorkspace } from '../files/index.ts';
import { spawnedCommands } from './spawned-commands.ts';
import { toolContext } from './tool-context.ts';

type Workspace = Awaited<ReturnType<typeof temporaryWorkspace>>;

/** What is under test, and what it stands on. */
export interface ActionParts {
  files(root: string): Files;
  /** What `callTool` finds. */
  readonly tools: readonly Tool[];
}

export interface ActionPlace {
  readonly workspace: Workspace;
  readonly context: ToolContext;
  /** What was called through `callTool`, in order. */
  readonly calls: readonly { readonly name: string; readonly input: unknown }[];
  run(tool: Tool, input: unknown, more?: Partial<ToolContext>): Promise<ToolResult>;
  /** The data of a run that has to succeed. */
  data(tool: Tool, input: unknown, more?: Partial<ToolContext>): Promise<Record<string, unknown>>;
  /** Runs a command line in the workspace and gives what it printed. */
  shell(command: string): Promise<string>;
  close(): Promise<void>;
}

/** Real files and commands in a temporary folder, and tools that can call one another without a gate. */
export async function openActionPlace(
  { files, tools }: ActionParts,
  given: Partial<ToolContext> = {},
): Promise<ActionPlace> {
  const workspace = await temporaryWorkspace();
  const commands = spawnedCommands(workspace.root);
  const calls: { name: string; input: unknown }[] = [];
  const known = new Map(tools.map((tool) => [tool.name, tool]));
  const callTool: ToolContext['callTool'] = async (name, input) => {
    calls.push({ name, input });
    const tool = known.get(name);
    if (!tool)
      return {
        content: [{ type: 'text', text: `There is no tool ${name}.` }],
        summary: 'none',
        isError: true,
      };
    return tool.run(tool.input.parse(input), context);
  };
  const context = toolContext({
    files: files(workspace.root),
    commands,
    callTool,
    ...given,
  });
  const run: ActionPlace['run'] = (tool, input, more = {}) =>
    tool.run(tool.input.parse(input), more ? toolContext({ ...contextParts(context), ...more }) : context);
  return {
    workspace,
    context,
    calls,
    run,
    async data(tool, input, more) {
      const result = await run(tool, input, more);
      if (result.isError || result.data === undefined)
        throw new Error(`${tool.name} failed: ${result.summary}`);
      return result.data as Record<string, unknown>;
    },
    shell: async (command) =>
      (await commands.run({ command, cwd: workspace.root }, new AbortController().signal)).output,
    async close() {
      await commands.close();
      await workspace.close();
    },
  };
}

/** A proxy gives no own parts away through a spread. */
const contextParts = (context: ToolContext): Partial<ToolContext> => ({ ...context });
