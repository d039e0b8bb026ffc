import { z } from 'zod';
import { dropHidden } from '#kit/hidden-characters';
import { redact } from '#kit/redact';
import { Backend } from '../actions-support/containers.ts';
import { defineCommandAction } from '../actions-support/define-command-action.ts';
import { commandLine } from '../ops-support/command-line.ts';
import { answer, count } from '../text/answer.ts';

const PRIORITIES = ['emerg', 'alert', 'crit', 'err', 'warning', 'notice', 'info', 'debug'] as const;

export const tool = defineCommandAction({
  name: 'journal_tail',
  description: 'The last lines of the journal of systemd, without what looks like a credential.',
  input: z.strictObject({
    unit: z
      .string()
      .max(200)
      .regex(/^[A-Za-z0-9][\w.@:\\-]*$/, 'a name of a unit')
      .optional(),
    lines: z.int().min(1).max(2_000).default(200),
    since: z
      .string()
      .max(50)
      .regex(/^[\w :.-]+$/)
      .optional()
      .describe('such as "1 hour ago"'),
    priority: z.enum(PRIORITIES).optional().describe('and worse'),
    backend: Backend,
  }),
  level: 0,
  timeoutS: 60,
  brings: ['untrusted', 'private'],
  line: ({ unit, lines, since, priority }) =>
    commandLine([
      'journalctl',
      '--no-pager',
      '-o',
      'short-iso',
      '-n',
      String(lines),
      ...(unit === undefined ? [] : ['-u', unit]),
      ...(since === undefined ? [] : ['--since', since]),
      ...(priority === undefined ? [] : ['-p', priority]),
    ]),
  // It says with 1 that there are no entries.
  codes: [1],
  read({ stdout }, { unit }) {
    const lines = redact(dropHidden(stdout))
      .trimEnd()
      .split('\n')
      .filter((line) => line !== '' && !/^-- .* --$/.test(line));
    const errors = lines.filter((line) =>
      /\b(?:error|fail(?:ed|ure)?|fatal|panic|segfault|oom)\b/i.test(line),
    );
    return answer(
      lines.join('\n') || 'There are no entries.',
      `${count(lines.length, 'line')} of ${unit ?? 'the journal'}`,
      {
        unit: unit ?? null,
        lines,
        text: lines.join('\n'),
        count: lines.length,
        errors,
        error_count: errors.length,
      },
    );
  },
});
