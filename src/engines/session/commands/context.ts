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
    const zh = language === 'zh';
    const rows = parts.map(
      ({ name, tokens }) => `| ${name} | ${tokens.toLocaleString('en')} | ${bar(tokens)} |`,
    );
    const last = state.session.usage;
    const tail = window
      ? zh
        ? `上次请求占用 ${used.toLocaleString('en')} / ${window.toLocaleString('en')}(${Math.round((used / of) * 100)} %),累计缓存命中 ${last.cacheRead.toLocaleString('en')},费用 $${state.session.cost.toFixed(4)}。`
        : `The last request filled ${used.toLocaleString('en')} of ${window.toLocaleString('en')} (${Math.round((used / of) * 100)} %); cached so far ${last.cacheRead.toLocaleString('en')}, fresh ${last.input.toLocaleString('en')}, cost $${state.session.cost.toFixed(4)}.`
      : zh
        ? '尚未发送请求。'
        : 'Nothing has been sent yet.';
    return {
      text: [`| ${zh ? '内容' : 'what'} | token | |`, '| --- | ---: | --- |', ...rows, '', tail].join('\n'),
    };
  },
});
