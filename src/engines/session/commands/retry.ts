import { defineSlashCommand } from '../slash-command.ts';

export const command = defineSlashCommand({
  summary: { en: 'ask the last question again', zh: '重新回答上一个问题' },
  run: async (_, scope) => {
    const said = await scope.undo();
    if (!said)
      return { text: scope.language === 'zh' ? '没有可重试的内容。' : 'There is nothing to try again.' };
    return { text: '', reload: true, resend: said };
  },
});
