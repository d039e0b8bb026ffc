import { tell } from '#kit/text';
import { defineSlashCommand } from '../slash-command.ts';

const HOW = {
  en: {
    pruned: 'long results were cut',
    digested: 'older messages were digested',
    summarised: 'older messages were summarised',
  },
  zh: { pruned: '截短长结果', digested: '摘录较早的消息', summarised: '总结较早的消息' },
} as const;

export const command = defineSlashCommand({
  summary: {
    en: 'shorten the conversation now; the originals stay searchable',
    zh: '立即压缩对话;原文仍可检索',
  },
  aliases: ['compact'],
  run: async (_, scope) => {
    const before = scope.state.messages.length;
    const events = await scope.compress();
    const { language } = scope;
    const notices = events.flatMap((event) => (event.type === 'notice' ? [event.data.text] : []));
    const done = events.find((event) => event.type === 'context.compacted');
    const said = (sentence: string) => [...notices, sentence].join('\n');
    if (!done)
      return { text: said(tell('There is nothing worth shortening.', '没有可压缩的内容。')[language]) };
    const { how, before: from, after: to, archived } = done.data;
    const after = scope.state.messages.length;
    const sentence = tell(
      `Made room: ${HOW.en[how]}, ${from} → ${to} tokens, ${archived} archived. ${before} messages became ${after}.`,
      `${HOW.zh[how]}:词元 ${from} → ${to},归档 ${archived} 条,消息 ${before} → ${after}。`,
    );
    return { text: said(sentence[language]), reload: true };
  },
});
