import { z } from 'zod';
import { dropHidden } from '#kit/hidden-characters';
import { redact } from '#kit/redact';
import { engineLine, OneContainer } from './containers.ts';
import { defineCommandAction } from '../define-command-action.ts';
import { answer, count } from '../../text/answer.ts';

const input = z.strictObject({
  ...OneContainer,
  lines: z.int().min(1).max(2_000).default(200),
  since: z
    .string()
    .max(40)
    .regex(/^[\w:.+-]+$/)
    .optional()
    .describe('such as 10m, or a time'),
});

export const tool = defineCommandAction<z.infer<typeof input>>({
  name: 'container_logs',
  description: 'The last lines of the log of a container.',
  input,
  level: 0,
  timeoutS: 60,
  brings: ['untrusted', 'private'],
  line: ({ container, engine, lines, since }) =>
    engineLine(engine, ['logs', '--tail', String(lines), ...(since ? ['--since', since] : []), container]),
  read({ stdout, stderr }, { container }) {
    const lines = redact(dropHidden(`${stdout}${stderr}`))
      .trimEnd()
      .split('\n')
      .filter(Boolean);
    const errors = lines.filter((line) => /\b(?:error|fatal|panic|exception|traceback)\b/i.test(line));
    return answer(lines.join('\n') || 'The log is empty.', `${count(lines.length, 'line')} of ${container}`, {
      container,
      lines,
      text: lines.join('\n'),
      errors,
      error_count: errors.length,
    });
  },
});
