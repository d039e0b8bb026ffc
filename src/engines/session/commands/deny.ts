import { answerRequest } from '../answer-request.ts';
import { defineSlashCommand } from '../slash-command.ts';

export const command = defineSlashCommand({
  summary: { en: 'refuse a request by its id', zh: '按编号拒绝请求' },
  usage: '<id>',
  run: (args, scope) => answerRequest(scope, args.split(/\s+/).filter(Boolean)[0], false, 'once'),
});
