import { tell } from '#kit/text';
import { defineSlashCommand } from '../slash-command.ts';

export const command = defineSlashCommand({
  summary: { en: 'go on in a stored conversation', zh: '继续已保存的对话' },
  usage: '<id>',
  run: async (args, scope) => {
    const found = await scope.resume(args.trim());
    if (!found)
      return {
        text: tell(
          'There is no such conversation; `hermes sessions list` shows them.',
          '没有该对话。`hermes sessions list` 可列出全部。',
        )[scope.language],
      };
    return { text: scope.state.session.title ?? args.trim(), reload: true };
  },
});
