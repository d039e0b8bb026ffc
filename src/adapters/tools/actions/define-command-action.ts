import type { z } from 'zod';
import type { Language } from '#kit/language';
import { readingLine } from '#kit/reading-words';
import type { MachineReading } from '#spec/data';
import { defineTool, type Deed, type EffectLevel, type Tool, type ToolResult } from '#spec/ports';
import { refusal } from '../text/answer.ts';
import { placed } from './placed.ts';
import { complaintOf, type LineEnd, runLine } from './run-line.ts';

interface CommandAction<Input> {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  readonly level: EffectLevel;
  readonly timeoutS: number;
  /** The one command line that it runs; what it is judged by is what runs. */
  line(input: Input): string;
  /** What the line reads of a machine: then it is taken where the machine is to be seen. */
  reading?(input: Input): MachineReading;
  /** Makes records of what was printed, with texts for people in their language. */
  read(end: LineEnd, input: Input, language: Language): ToolResult;
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
    // The words of a reading are fixed: nothing that is asked for makes it reach further.
    ...(action.reading ? { level } : {}),
    footprint: () => (level === 0 ? {} : undefined),
    deed: (asked) => ({
      command: {
        text: action.line(asked),
        ...(asked.backend === undefined ? {} : { backend: asked.backend }),
        ...(asked.cwd === undefined ? {} : { cwd: asked.cwd }),
        ...(typed === undefined ? {} : { input: typed }),
        ...(action.reading ? { reading: action.reading(asked) } : {}),
      },
      ...(brings === undefined ? {} : { brings }),
      ...(confirm === undefined ? {} : { confirm: confirm(asked) }),
    }),
    async run(asked, context) {
      const { backend, cwd, timeout = timeoutS } = asked;
      const end = await runLine(
        action.line(asked),
        { backend, cwd, timeoutS: timeout, input: typed, reading: action.reading?.(asked) },
        context,
      );
      const answered = end.stopped === undefined && (end.code === 0 || codes.includes(end.code ?? -1));
      return answered
        ? placed(action.read(end, asked, context.language ?? 'en'), end.place)
        : refusal(`${name} failed${end.place ? ` ${end.place}` : ''}.\n${complaintOf(end)}`);
    },
  });
}

/** An action that takes one reading of a machine, and what its output means. */
export const defineReadingAction = <Input extends Placed>(
  action: Omit<CommandAction<Input>, 'line' | 'level'> & Required<Pick<CommandAction<Input>, 'reading'>>,
): Tool =>
  defineCommandAction<Input>({
    ...action,
    level: 0,
    line: (input) => readingLine(action.reading(input)),
  });
