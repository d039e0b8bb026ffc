import { tell } from '#kit/text';
import { defineSlashCommand } from '../slash-command.ts';

export const command = defineSlashCommand({
  summary: { en: 'take the last turn back', zh: '撤回上一轮' },
  run: async (_, scope) => {
    const said = await scope.undo();
    if (!said) return { text: tell('There is nothing to take back.', '没有可撤回的内容。')[scope.language] };
    return { text: tell('The last turn is taken back.', '已撤回上一轮。')[scope.language], reload: true };
  },
});
