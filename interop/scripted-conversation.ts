import type { Script } from '../testkit/model-server/index.ts';

/** A one-pixel image. */
export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const SYSTEM = 'You are on call for the payment service. '.repeat(20);
export const QUESTION = 'Why do payments fail? 为什么支付失败？';

export const FIRST = {
  thinking: 'Metrics and logs are both needed. 两个都要看。🙂 Fetch them together.',
  text: 'I will look at metrics and logs together. 同时查看。',
  calls: [
    { name: 'query_metrics', arguments: { service: 'payment', minutes: 15 } },
    { name: 'search_logs', arguments: { query: 'timeout "gateway"', limit: 5 } },
  ],
} as const;

export const SECOND = {
  thinking: 'Both point at the pool.',
  text: 'The connection pool is exhausted: 连接池耗尽。',
};

export const RESULTS = ['error_rate 0.31', '5 lines: pool timeout'] as const;

/** The conversation that each vendor's own client must be able to hold: an image in, two tool calls, a conclusion. */
export const conversation: Script = {
  rules: [
    { when: { afterTool: 'search_logs', turn: 1 }, reply: SECOND },
    {
      when: { contains: 'payments fail', hasImage: true, turn: 0 },
      reply: { thinking: FIRST.thinking, text: FIRST.text, toolCalls: [...FIRST.calls] },
    },
  ],
};

export const TOOL_SCHEMAS = [
  {
    name: 'query_metrics',
    description: 'Reads a metric',
    schema: { type: 'object' as const, properties: { service: { type: 'string' } } },
  },
  {
    name: 'search_logs',
    description: 'Searches logs',
    schema: { type: 'object' as const, properties: { query: { type: 'string' } } },
  },
];
