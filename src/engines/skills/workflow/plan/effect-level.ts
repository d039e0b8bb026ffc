import { judgeCommand } from '#engines/gate';
import type { EffectLevel, Tool } from '#spec/ports';

/** The tools that steps can name, by exactly their names. */
export interface WorkflowTools {
  find(name: string): Tool | undefined;
  readonly names: readonly string[];
}

/** How far a call reaches: what the tool says, and of a command what it would do. What cannot be told changes things. */
export function effectLevel(tool: Tool, input: unknown): EffectLevel {
  try {
    if (tool.level !== undefined) return tool.level;
    const level = tool.effect(input);
    const { command, code, feeds, confirm } = tool.deed?.(input) ?? {};
    if (confirm !== undefined) return 3;
    if (code || feeds || command?.background || command?.input !== undefined) return atLeast(2, level);
    return command ? atLeast(commandLevel(command.text), level) : level;
  } catch {
    // A tool that cannot tell is taken for one that changes things.
    return 2;
  }
}

/**
 * The level that every call of a tool has, whatever it is asked for: what the tool says of itself, or what it tells
 * without looking at an input. Undefined where it depends.
 */
export function constantLevel(tool: Tool): EffectLevel | undefined {
  if (tool.level !== undefined) return tool.level;
  try {
    const level = tool.effect(UNSEEN);
    const { command, code, feeds, confirm } = tool.deed?.(UNSEEN) ?? {};
    return command || code || feeds || confirm !== undefined ? undefined : level;
  } catch {
    // It has looked.
    return undefined;
  }
}

const look = (): never => {
  throw new Error('the input is not known');
};
/** An input that nobody may look at. */
const UNSEEN: unknown = new Proxy(
  {},
  { get: look, has: look, ownKeys: look, getOwnPropertyDescriptor: look, getPrototypeOf: look },
);

const atLeast = (a: EffectLevel, b: EffectLevel): EffectLevel => (a > b ? a : b);

function commandLevel(text: string): EffectLevel {
  const { level, verdict } = judgeCommand(text);
  return verdict === 'allow' ? level : atLeast(level, 2);
}
