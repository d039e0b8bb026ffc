import { tell } from '#kit/text';
import { defineSlashCommand } from '../slash-command.ts';

export const command = defineSlashCommand({
  summary: { en: 'what can be typed here', zh: '可用的命令' },
  run: async (_, { commands, language }) => {
    const rows = commands.map(
      ({ name, usage, summary }) => `- \`${[name, usage].filter(Boolean).join(' ')}\` ${summary}`,
    );
    const keys = tell(
      '`@path`, `@folder:path`, `@diff`, `@staged` and `@url:address` bring along what they name.',
      '`@路径`、`@folder:路径`、`@diff`、`@staged`、`@url:网址` 会附上所指的内容。',
    )[language];
    return { text: [...rows, '', keys].join('\n') };
  },
});
