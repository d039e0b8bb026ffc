import { tell } from '#kit/text';
import { REACHES, type Reach } from '../approvals-desk.ts';
import { answerRequest } from '../answer-request.ts';
import { defineSlashCommand } from '../slash-command.ts';

export const command = defineSlashCommand({
  summary: { en: 'agree to a request by its id', zh: '按编号批准请求' },
  usage: '<id> [session|always]',
  run: (args, scope) => {
    const [id, reach = 'once'] = args.split(/\s+/).filter(Boolean);
    if (id && !REACHES.includes(reach as Reach)) {
      const text = tell(
        `\`${reach}\` is no reach: once, session or always.`,
        `\`${reach}\` 不是有效范围:once、session 或 always。`,
      )[scope.language];
      return Promise.resolve({ text });
    }
    return answerRequest(scope, id, true, reach as Reach);
  },
});
