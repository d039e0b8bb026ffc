import { tell } from '#kit/text';
import { defineSlashCommand } from '../slash-command.ts';

export const command = defineSlashCommand({
  summary: { en: 'show or change the model of this conversation', zh: '查看或更换本次对话的模型' },
  usage: '[provider/model]',
  run: async (args, scope) => {
    const ref = args.trim() || undefined;
    const name = (await scope.model(ref)) ?? tell('the built-in operator', '内置操作员')[scope.language];
    const said = tell(`${name} answers.`, '由 ' + name + ' 回答。')[scope.language];
    return { text: said };
  },
});
