import { tell } from '#kit/text';
import { defineSlashCommand } from '../slash-command.ts';

export const command = defineSlashCommand({
  summary: { en: 'tokens and cost of this conversation', zh: '本次对话的用量与费用' },
  run: async (_, { state, language }) => {
    const { usage, cost, messages } = state.session;
    const read = usage.input + usage.cacheRead + usage.cacheWrite;
    const share = read ? Math.round((usage.cacheRead / read) * 100) : 0;
    const n = (value: number) => value.toLocaleString('en');
    return {
      text: [
        `| ${tell('what', '项目')[language]} | ${tell('how much', '数量')[language]} |`,
        '| --- | ---: |',
        `| ${tell('read, fresh', '输入(新)')[language]} | ${n(usage.input)} |`,
        `| ${tell('read, cached', '输入(缓存命中)')[language]} | ${n(usage.cacheRead)} (${share} %) |`,
        `| ${tell('written to the cache', '写入缓存')[language]} | ${n(usage.cacheWrite)} |`,
        `| ${tell('written', '输出')[language]} | ${n(usage.output)} |`,
        `| ${tell('cost', '费用')[language]} | $${cost.toFixed(4)} |`,
        `| ${tell('messages', '消息')[language]} | ${n(messages)} |`,
      ].join('\n'),
    };
  },
});
