import type { Reply, Script } from './script.ts';

const HAN = '\\p{Script=Han}';

const calls: NonNullable<Reply['toolCalls']> = [
  { name: 'query_metrics', arguments: { service: 'payment', metric: 'error_rate', minutes: 15 } },
  { name: 'search_logs', arguments: { service: 'payment', query: 'timeout', limit: 5 } },
];

const LONG_EN = Array.from(
  { length: 12 },
  (_, index) => `${index + 1}. Step ${index + 1} of a long answer, written so that you can watch it arrive.`,
).join('\n');
const LONG_ZH = Array.from(
  { length: 12 },
  (_, index) => `${index + 1}. 长回答的第 ${index + 1} 步，你可以看着它一点点到达。`,
).join('\n');

/** The script of the command: one message for each thing a client must be able to show. */
export const demoScript: Script = {
  models: [{ id: 'scripted', contextWindow: 128_000 }],
  rules: [
    { when: { hasImage: true, matches: HAN }, reply: { text: '收到了 {{images}} 张图片。它是原样到达的。' } },
    { when: { hasImage: true }, reply: { text: 'I received {{images}} image(s). They arrived intact.' } },
    {
      when: { afterTool: 'query_metrics', matches: HAN },
      reply: {
        thinking: '两个工具都有结果了：把它们放在一起看。',
        text: '两个工具都回答了。按照脚本，结论是：payment 的错误率上升与超时日志同时出现。',
      },
    },
    {
      when: { afterTool: 'query_metrics' },
      reply: {
        thinking: 'Both tools have answered: put the two results side by side.',
        text: 'Both tools answered. By the script, the conclusion is: the error rate of payment rose together with the timeouts in its log.',
      },
    },
    {
      when: { matches: '工具|检查' },
      reply: { thinking: '需要指标和日志，可以同时去取。', text: '我同时看指标和日志。', toolCalls: calls },
    },
    {
      when: { matches: '\\btools?\\b' },
      reply: {
        thinking: 'Metrics and logs are both needed, and neither waits for the other.',
        text: 'I will look at metrics and logs at the same time.',
        toolCalls: calls,
      },
    },
    {
      when: { matches: '思考|想一想' },
      reply: {
        thinking: '先想：17 乘以 3。10 乘以 3 是 30，7 乘以 3 是 21，一共 51。',
        text: '答案是 51。',
      },
    },
    {
      when: { matches: '\\bthink' },
      reply: {
        thinking: 'Let me see: 17 times 3. Ten times three is 30, seven times three is 21, together 51.',
        text: 'The answer is 51.',
      },
    },
    {
      when: { matches: '图片|图像' },
      reply: { text: '这条消息里没有图片。附上一张再发一次，我会数给你看。' },
    },
    {
      when: { matches: '\\bimages?\\b' },
      reply: {
        text: 'There is no image in this message. Attach one and send it again, and I will count it.',
      },
    },
    { when: { matches: '长文|很长|长回答' }, reply: { text: LONG_ZH, delayMs: 20 } },
    { when: { matches: '\\blong\\b' }, reply: { text: LONG_EN, delayMs: 20 } },
    {
      when: { matches: '你好|您好' },
      reply: {
        text: '你好！我是脚本化的模型服务器，扮演 {{model}}。试试：“思考”、“工具”、“长文”，或附上一张图片。',
      },
    },
    {
      when: { matches: '\\b(hello|hi|hey)\\b' },
      reply: {
        text: 'Hello! I am the scripted model server, playing {{model}}. Try "think", "tools", "long", or attach an image.',
      },
    },
  ],
};
