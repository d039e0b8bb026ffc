import { tell } from '#kit/text';
import { defineSlashCommand } from '../slash-command.ts';

export const command = defineSlashCommand({
  summary: { en: 'begin a new conversation', zh: '开始新的对话' },
  aliases: ['reset', 'clear'],
  run: async (_, scope) => {
    const before = scope.state.session.id;
    scope.begin();
    const text = tell(
      `A new conversation. The one before is \`${before}\`.`,
      `新的对话。之前的对话:\`${before}\``,
    )[scope.language];
    return { text, reload: true };
  },
});
