import { tell } from '#kit/text';
import { defineSlashCommand } from '../slash-command.ts';

export const command = defineSlashCommand({
  summary: { en: 'show or set the title', zh: '查看或设置标题' },
  usage: '[title]',
  run: async (args, { state, language }) => {
    if (args.trim()) await state.name(args.trim().slice(0, 100));
    return { text: state.session.title ?? tell('(no title yet)', '(无标题)')[language] };
  },
});
