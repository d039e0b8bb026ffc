import { defineSlashCommand } from '../slash-command.ts';

export const command = defineSlashCommand({
  summary: { en: 'tokens and cost of this conversation', zh: '本次对话的用量与费用' },
  run: async (_, { state, language }) => {
    const { usage, cost, messages } = state.session;
    const read = usage.input + usage.cacheRead + usage.cacheWrite;
    const share = read ? Math.round((usage.cacheRead / read) * 100) : 0;
    const n = (value: number) => value.toLocaleString('en');
    const zh = language === 'zh';
    return {
      text: [
        `| ${zh ? '项目' : 'what'} | ${zh ? '数量' : 'how much'} |`,
        '| --- | ---: |',
        `| ${zh ? '输入(新)' : 'read, fresh'} | ${n(usage.input)} |`,
        `| ${zh ? '输入(缓存命中)' : 'read, cached'} | ${n(usage.cacheRead)} (${share} %) |`,
        `| ${zh ? '写入缓存' : 'written to the cache'} | ${n(usage.cacheWrite)} |`,
        `| ${zh ? '输出' : 'written'} | ${n(usage.output)} |`,
        `| ${zh ? '费用' : 'cost'} | $${cost.toFixed(4)} |`,
        `| ${zh ? '消息' : 'messages'} | ${n(messages)} |`,
      ].join('\n'),
    };
  },
});
