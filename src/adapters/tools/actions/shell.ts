import { z } from 'zod';
import { showHidden } from '#kit/hidden-characters';
import { redact } from '#kit/redact';
import { defineTool } from '#spec/ports';
import { jsonOrText } from './loose.ts';
import { complaintOf, runLine } from './run-line.ts';
import { commandLine } from '../running/command-line.ts';
import { answer } from '../text/answer.ts';

const MOST_KEPT = 2_000_000;
const Word = z
  .string()
  .max(10_000)
  .regex(/^[^\0]*$/);

const input = z.strictObject({
  command: Word.min(1).describe('the program'),
  args: z.array(Word).max(200).default([]).describe('each is one word, whatever it holds'),
  cwd: z.string().min(1).optional(),
  timeout: z.number().positive().max(600).default(120).describe('seconds'),
  input: z.string().max(1_000_000).optional().describe('what it reads from its standard input'),
  backend: z.string().min(1).optional().describe('a named place of backends.yaml'),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'shell',
  toolset: 'actions',
  description:
    'Run a program with a list of arguments; nothing in them is read by a shell. For command lines use terminal.',
  input,
  deferred: true,
  // The gate judges the command itself and takes the higher of the two levels.
  effect: () => 0,
  footprint: () => undefined,
  deed: ({ command, args, cwd, input: typed, backend }) => ({
    command: {
      text: commandLine([command, ...args]),
      ...(cwd === undefined ? {} : { cwd }),
      ...(backend === undefined ? {} : { backend }),
      ...(typed === undefined ? {} : { input: typed }),
    },
  }),
  maxChars: 30_000,
  async run({ command, args, cwd, timeout, input: typed, backend }, context) {
    const line = commandLine([command, ...args]);
    const end = await runLine(line, { cwd, timeoutS: timeout, input: typed, backend }, context);
    const stdout = end.stdout.slice(0, MOST_KEPT);
    const json = /^\s*[[{]/.test(stdout) ? jsonOrText(stdout) : undefined;
    const ok = end.code === 0 && end.stopped === undefined;
    const data = {
      ...end,
      stdout,
      stderr: end.stderr.slice(0, MOST_KEPT),
      ok,
      ...(typeof json === 'object' ? { json } : {}),
    };
    const text = ok
      ? redact(showHidden(stdout.trimEnd())) || '[no output]'
      : redact(showHidden(complaintOf(end)));
    return {
      ...answer(text, end.stopped ?? `exit code ${end.code}`, data),
      ...(ok ? {} : { isError: true }),
    };
  },
});
