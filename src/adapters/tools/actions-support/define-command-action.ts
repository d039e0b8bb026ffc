import type { z } from 'zod';
import { defineTool, type Deed, type EffectLevel, type Tool, type ToolResult } from '#spec/ports';
import { refusal } from '../text/answer.ts';
import { complaintOf, type LineEnd, runLine } from './run-line.ts';

interface CommandAction<Input> {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  readonly level: EffectLevel;
  readonly timeoutS: number;
  /** The one command line that it runs; what it is judged by is what runs. */
  line(input: Input): string;
  /** Makes records of what was printed. */
  read(end: LineEnd, input: Input): ToolResult;
  /** Codes besides 0 that are an answer. */
  readonly codes?: readonly number[];
  readonly brings?: Deed['brings'];
  /** Written to its input; without it, there is none. */
  readonly typed?: string;
  readonly confirm?: (input: Input) => string;
}

interface Placed {
  readonly backend?: string | undefined;
  readonly cwd?: string | undefined;
  readonly timeout?: number | undefined;
}

/** An action that is one command line, and what its output means. */
export function defineCommandAction<Input extends Placed>(action: CommandAction<Input>): Tool {
  const { name, description, input, level, timeoutS, codes = [], brings, typed, confirm } = action;
  return defineTool<Input>({
    name,
    toolset: 'actions',
    description,
    input,
    deferred: true,
    effect: () => level,
    footprint: () => (level === 0 ? {} : undefined),
    deed: (asked) => ({
      command: {
        text: action.line(asked),
        ...(asked.backend === undefined ? {} : { backend: asked.backend }),
        ...(asked.cwd === undefined ? {} : { cwd: asked.cwd }),
        ...(typed === undefined ? {} : { input: typed }),
      },
      ...(brings === undefined ? {} : { brings }),
      ...(confirm === undefined ? {} : { confirm: confirm(asked) }),
    }),
    async run(asked, context) {
      const { backend, cwd, timeout = timeoutS } = asked;
      const end = await runLine(
        action.line(asked),
        { backend, cwd, timeoutS: timeout, input: typed },
        context,
      );
      const answered = end.stopped === undefined && (end.code === 0 || codes.includes(end.code ?? -1));
      return answered ? action.read(end, asked) : refusal(`${name} failed.\n${complaintOf(end)}`);
    },
  });
}
