import { z } from 'zod';
import { engineLine, OneContainer } from './containers.ts';
import { defineCommandAction } from '../define-command-action.ts';
import { answer } from '../../text/answer.ts';

const input = z.strictObject({
  ...OneContainer,
  grace_seconds: z.int().min(0).max(300).default(10).describe('before it is killed'),
});

export const tool = defineCommandAction<z.infer<typeof input>>({
  name: 'container_restart',
  description: 'Restart a container of Docker or Podman.',
  input,
  level: 2,
  timeoutS: 360,
  line: ({ container, engine, grace_seconds }) =>
    engineLine(engine, ['restart', '-t', String(grace_seconds), container]),
  read: ({ ms }, { container }) =>
    answer(`Restarted ${container}.`, `restarted ${container}`, { container, success: true, ms }),
});
