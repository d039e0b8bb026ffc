import type { z } from 'zod';
import { AppError } from '#kit/app-error';
import {
  type Deed,
  defineTool,
  type EffectLevel,
  type Tool,
  type ToolContext,
  type ToolResult,
} from '#spec/ports';
import type { IncidentDesk } from './incident-desk.ts';
import { refused } from './show-table.ts';

export interface IncidentToolDeps {
  readonly desk: IncidentDesk;
  readonly now: () => number;
}

interface IncidentTool<Input> {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  /** Reads by default. */
  effect?(input: Input): EffectLevel;
  deed?(input: Input): Deed;
  run(input: Input, context: ToolContext): Promise<ToolResult>;
}

const MAX_CHARS = 8_000;

/** What all of them have in common: they are found on demand, answer briefly, and say what went wrong in one line. */
export const defineIncidentTool = <Input>({ run, effect, deed, ...tool }: IncidentTool<Input>): Tool =>
  defineTool<Input>({
    ...tool,
    toolset: 'incident',
    deferred: true,
    maxChars: MAX_CHARS,
    effect: effect ?? (() => 0),
    // What logs, traces and changes say was written by others, and is nobody else's business.
    deed: deed ?? (() => ({ brings: ['untrusted', 'private'] })),
    ...(effect ? {} : { footprint: () => ({ reads: ['incidents:'] }) }),
    run: async (input, context) => {
      try {
        return await run(input, context);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const { message, hint } = error.record;
        return refused(hint ? `${message}\n${hint}` : message);
      }
    },
  });
