import { defineSlashCommand } from '../slash-command.ts';

export const command = defineSlashCommand({
  summary: {
    en: 'shorten the conversation now; the originals stay searchable',
    zh: '立即压缩对话;原文仍可检索',
  },
  aliases: ['compact'],
  run: async (_, scope) => {
    const before = scope.state.messages.length;
    const done = await scope.compress();
    const zh = scope.language === 'zh';
    if (!done) return { text: zh ? '没有可压缩的内容。' : 'There is nothing worth shortening.' };
    const after = scope.state.messages.length;
    return { text: zh ? `消息 ${before} → ${after}。` : `${before} messages became ${after}.`, reload: true };
  },
});
