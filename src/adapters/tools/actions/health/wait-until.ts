import { z } from 'zod';
import { sleep } from '#kit/sleep';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { textOf } from '../call-shell.ts';
import { Endpoint } from '../endpoint.ts';
import { valueAt } from '../data/value-at.ts';
import { answer } from '../../text/answer.ts';

const Call = z.strictObject({
  action: z.string().min(1).describe('a tool that reads'),
  args: z.record(z.string(), z.unknown()).default({}),
  path: z.string().optional().describe('into its data; without it, that it succeeds'),
  equals: z.unknown().optional().describe('default: anything that is not empty, false or 0'),
});

const input = z.strictObject({
  check: z.union([Call, Endpoint]).describe('an endpoint, or an action and what it has to give'),
  timeout: z.number().positive().max(1_800).default(120).describe('seconds'),
  interval: z.number().min(0.05).max(300).default(5).describe('seconds'),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'wait_until',
  toolset: 'actions',
  description: 'Look again and again until an endpoint is up or an action gives what is wanted.',
  input,
  deferred: true,
  effect: () => 0,
  footprint: () => ({}),
  run: wait,
});

async function wait({ check, timeout, interval }: Input, context: ToolContext): Promise<ToolResult> {
  const begun = performance.now();
  const waited = () => Math.round(performance.now() - begun);
  for (let attempts = 1; ; attempts++) {
    const { met, message, value } = await look(check, context);
    if (met)
      return answer(`It came true after ${waited()} ms.`, `met after ${waited()} ms`, {
        met,
        attempts,
        waited_ms: waited(),
        message,
        value,
      });
    context.update(message);
    const left = timeout * 1_000 - waited();
    if (left <= 0 || !(await sleep(Math.min(interval * 1_000, left), context.signal))) {
      const text = `It did not come true within ${Math.round(waited() / 1_000)} s: ${message}`;
      return {
        ...answer(text, text.slice(0, 160), { met: false, attempts, waited_ms: waited(), message, value }),
        isError: true,
      };
    }
  }
}

async function look(check: Input['check'], { callTool }: ToolContext) {
  if ('action' in check) {
    const result = await callTool(check.action, check.args);
    const value = check.path === undefined ? !result.isError : valueAt(result.data, check.path);
    const met =
      check.equals === undefined
        ? Boolean(value) && !(Array.isArray(value) && value.length === 0)
        : same(value, check.equals);
    return { met, value, message: textOf(result).slice(0, 300) };
  }
  const result = await callTool('parallel_health_check', { endpoints: [check] });
  const first = valueAt(result.data, 'results[0]');
  return { met: valueAt(first, 'ok') === true, value: first, message: textOf(result).slice(0, 300) };
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
