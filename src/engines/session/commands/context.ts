import { tell } from '#kit/text';
import { defineSlashCommand } from '../slash-command.ts';

const WIDTH = 24;

export const command = defineSlashCommand({
  summary: { en: 'what fills the window', zh: '上下文窗口的占用' },
  run: async (_, scope) => {
    const { state, language } = scope;
    const parts = await scope.breakdown();
    const total = parts.reduce((sum, { tokens }) => sum + tokens, 0);
    const { used, window } = state.context;
    const of = window || 1;
    const bar = (tokens: number) => '█'.repeat(Math.round((tokens / Math.max(1, total)) * WIDTH)).padEnd(1);
    const rows = parts.map(
      ({ name, tokens }) => `| ${name} | ${tokens.toLocaleString('en')} | ${bar(tokens)} |`,
    );
    const last = state.session.usage;
    const tail = window
      ? tell(
          `The last request filled ${used.toLocaleString('en')} of ${window.toLocaleString('en')} (${Math.round((used / of) * 100)} %); cached so far ${last.cacheRead.toLocaleString('en')}, fresh ${last.input.toLocaleString('en')}, cost $${state.session.cost.toFixed(4)}.`,
          `上次请求占用 ${used.toLocaleString('en')} / ${window.toLocaleString('en')}(${Math.round((used / of) * 100)} %),累计缓存命中 ${last.cacheRead.toLocaleString('en')},费用 $${state.session.cost.toFixed(4)}。`,
        )[language]
      : tell('Nothing has been sent yet.', '尚未发送请求。')[language];
    return {
      text: [
        `| ${tell('what', '内容')[language]} | token | |`,
        '| --- | ---: | --- |',
        ...rows,
        '',
        tail,
      ].join('\n'),
    };
  },
});
