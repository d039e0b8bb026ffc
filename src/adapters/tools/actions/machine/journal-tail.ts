import { z } from 'zod';
import { dropHidden } from '#kit/hidden-characters';
import { redact } from '#kit/redact';
import { JOURNAL_PRIORITIES, UnitName } from '#spec/data';
import { Backend } from './containers.ts';
import { defineReadingAction } from '../define-command-action.ts';
import { sawNoJournal } from './saw-no-journal.ts';
import { answer, count, refusal } from '../../text/answer.ts';

export const tool = defineReadingAction({
  name: 'journal_tail',
  description: 'The last lines of the journal of systemd, without what looks like a credential.',
  input: z.strictObject({
    unit: UnitName.optional(),
    lines: z.int().min(1).max(2_000).default(200),
    since: z
      .string()
      .max(50)
      .regex(/^[\w :.][\w :.-]*$/)
      .optional()
      .describe('such as "1 hour ago"'),
    priority: z.enum(JOURNAL_PRIORITIES).optional().describe('and worse'),
    backend: Backend,
  }),
  timeoutS: 60,
  brings: ['untrusted', 'private'],
  reading: ({ unit, lines, since, priority }) => ({
    read: 'journal',
    lines,
    ...(unit === undefined ? {} : { unit }),
    ...(since === undefined ? {} : { since }),
    ...(priority === undefined ? {} : { priority }),
  }),
  // It says with 1 that there are no entries.
  codes: [1],
  read({ stdout, stderr }, { unit }) {
    // A journal without entries says so. Silence is one that could not be read.
    if (stdout.trim() === '' || sawNoJournal(stderr))
      return refusal(`The journal could not be read.\n${stderr.trim().slice(0, 300)}`);
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
