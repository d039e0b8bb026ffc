import { defineSlashCommand } from '../slash-command.ts';

export const command = defineSlashCommand({
  summary: { en: 'take the last turn back', zh: '撤回上一轮' },
  run: async (_, scope) => {
    const said = await scope.undo();
    const zh = scope.language === 'zh';
    if (!said) return { text: zh ? '没有可撤回的内容。' : 'There is nothing to take back.' };
    return { text: zh ? '已撤回上一轮。' : 'The last turn is taken back.', reload: true };
  },
});
