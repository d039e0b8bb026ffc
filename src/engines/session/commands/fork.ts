import { tell } from '#kit/text';
import { defineSlashCommand } from '../slash-command.ts';

export const command = defineSlashCommand({
  summary: { en: 'go on in a copy of this conversation', zh: '在副本中继续' },
  aliases: ['branch'],
  run: async (_, scope) => {
    const before = scope.state.session.id;
    await scope.fork();
    const after = scope.state.session.id;
    return {
      text: tell(`Forked \`${before}\` into \`${after}\`.`, `已从 \`${before}\` 分叉到 \`${after}\`。`)[
        scope.language
      ],
    };
  },
});
