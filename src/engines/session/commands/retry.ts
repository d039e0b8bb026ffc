import { tell } from '#kit/text';
import { defineSlashCommand } from '../slash-command.ts';

export const command = defineSlashCommand({
  summary: { en: 'ask the last question again', zh: '重新回答上一个问题' },
  run: async (_, scope) => {
    const said = await scope.undo();
    if (!said) return { text: tell('There is nothing to try again.', '没有可重试的内容。')[scope.language] };
    return { text: '', reload: true, resend: said };
  },
});
