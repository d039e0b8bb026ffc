import { defineSlashCommand } from '../slash-command.ts';

export const command = defineSlashCommand({
  summary: { en: 'leave', zh: '退出' },
  aliases: ['exit'],
  run: async () => ({ text: '', leave: true }),
});
