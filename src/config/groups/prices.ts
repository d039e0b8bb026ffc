import { z } from 'zod';
import { Price } from '#spec/data';
import { fieldDocs } from '../field-docs.ts';

const { input, output, cacheRead, cacheWrite5m, cacheWrite1h } = Price.shape;

/** US dollars for a million tokens, by model name; they come before the built-in prices. */
export const prices = z.record(
  z.string().min(1),
  z.strictObject({
    input: input.register(fieldDocs, {
      en: 'US dollars per million tokens read',
      zh: '每百万输入 token 的美元价格',
    }),
    output: output.register(fieldDocs, {
      en: 'US dollars per million tokens written',
      zh: '每百万输出 token 的美元价格',
    }),
    cacheRead: cacheRead.register(fieldDocs, {
      en: 'US dollars per million tokens read from the cache',
      zh: '每百万缓存命中 token 的美元价格',
    }),
    cacheWrite5m: cacheWrite5m.register(fieldDocs, {
      en: 'US dollars per million tokens cached for five minutes',
      zh: '每百万写入 5 分钟缓存 token 的美元价格',
    }),
    cacheWrite1h: cacheWrite1h.register(fieldDocs, {
      en: 'US dollars per million tokens cached for an hour',
      zh: '每百万写入 1 小时缓存 token 的美元价格',
    }),
  }),
);
