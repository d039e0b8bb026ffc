import { tell } from '#kit/text';
import { z } from 'zod';
import { AppError } from '#kit/app-error';
import { defineTool, RECORD_TYPES, type ToolContext, type ToolResult } from '#spec/ports';
import { Backend } from './containers.ts';
import { HostName } from '../endpoint.ts';
import { placed } from '../placed.ts';
import { complaintOf, runLine } from '../run-line.ts';
import { commandLine } from '../../running/command-line.ts';
import { answer, count, refusal } from '../../text/answer.ts';

const TIME_S = 5;
/** getent says with 2 that there is no such name. */
const NO_NAME = 2;

const input = z.strictObject({
  name: HostName,
  type: z
    .enum(RECORD_TYPES)
    .default('address')
    .describe('address: as programs of the machine resolve it, its hosts file included'),
  backend: Backend.describe('from there, with getent or dig; default: from where web requests are made'),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'dns_lookup',
  toolset: 'actions',
  description: 'What a name resolves to, from where web requests are made, or from a named backend.',
  input,
  deferred: true,
  effect: () => 0,
  footprint: () => ({}),
  deed: (asked) => ({
    ...(asked.backend === undefined
      ? { sendsTo: [asked.name] }
      : { command: { text: lineOf(asked), backend: asked.backend } }),
    brings: ['untrusted'],
  }),
  run: (asked, context) => (asked.backend === undefined ? here(asked, context) : there(asked, context)),
});

async function here(asked: Input, { web, signal, language = 'en' }: ToolContext): Promise<ToolResult> {
  try {
    return told(asked, await web.resolve(asked.name, asked.type, TIME_S * 1_000, signal));
  } catch (error) {
    if (!(error instanceof AppError) || signal.aborted) throw error;
    const { message } = error.record;
    return refusal(
      tell(`${asked.name} could not be looked up: ${message}.`, `无法解析 ${asked.name}：\`${message}\``)[
        language
      ],
    );
  }
}

const lineOf = ({ name, type }: Input): string =>
  type === 'address'
    ? commandLine(['getent', 'ahosts', name])
    : commandLine(['dig', '+short', '+time=3', '+tries=2', name, type]);

async function there(asked: Input, context: ToolContext): Promise<ToolResult> {
  const end = await runLine(lineOf(asked), { timeoutS: 20, backend: asked.backend }, context);
  if (end.stopped !== undefined || (end.code !== 0 && end.code !== NO_NAME))
    return refusal(`dns_lookup failed${end.place ? ` ${end.place}` : ''}.\n${complaintOf(end)}`);
  const lines = end.stdout
    .split('\n')
    .map((line) => (asked.type === 'address' ? (line.split(/\s/)[0] ?? '') : line.trim()));
  const records = lines.filter((line) => line !== '' && !line.startsWith(';'));
  return placed(told(asked, [...new Set(records)]), end.place);
}

function told({ name, type }: Input, all: readonly string[]): ToolResult {
  const records = all.slice(0, 100);
  const text = records.join('\n') || `${name} has no ${type}.`;
  return answer(text, `${count(records.length, 'record')} of ${name}`, {
    name,
    type,
    records,
    found: records.length > 0,
  });
}
