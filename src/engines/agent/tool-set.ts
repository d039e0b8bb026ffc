import { z } from 'zod';
import { fail } from '#kit/app-error';
import type { ToolSpec } from '#spec/data';
import type { Tool } from '#spec/ports';
import { repairToolName } from './repair-tool-name.ts';

/** The tools of a session: what the model is shown, and what answers its calls. */
export interface ToolSet {
  /** What stands in the prefix. */
  readonly specs: readonly ToolSpec[];
  readonly names: readonly string[];
  find(written: string): Tool | undefined;
}

/** Throws `internal` when two tools have one name: which of them answers must not depend on their order. */
export function toolSet(tools: readonly Tool[]): ToolSet {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    if (byName.has(tool.name)) throw fail('internal', `There are two tools called '${tool.name}'.`);
    byName.set(tool.name, tool);
  }
  const names = [...byName.keys()];
  return {
    names,
    specs: tools.filter((tool) => !tool.deferred).map(specOf),
    find: (written) => {
      const name = repairToolName(written, names);
      return name === undefined ? undefined : byName.get(name);
    },
  };
}

/** A tool as the model sees it. */
export function specOf(tool: Tool): ToolSpec {
  const { $schema: _, ...input } = z.toJSONSchema(tool.input, { io: 'input' });
  return { name: tool.name, description: tool.description, input };
}
