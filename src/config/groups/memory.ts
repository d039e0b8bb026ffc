import { z } from 'zod';
import { fieldDocs } from '../field-docs.ts';

/** What is remembered, and how it is found again. */
export const memory = z.strictObject({
  enabled: z.boolean().default(true).register(fieldDocs, {
    en: 'Keep notebooks and a long-term memory',
    zh: '启用笔记与长期记忆',
  }),
  recall: z.boolean().default(true).register(fieldDocs, {
    en: 'Bring what fits a message along with it',
    zh: '每条消息自动带上相关记忆',
  }),
  context_limit: z.number().int().min(0).max(20).default(6).register(fieldDocs, {
    en: 'Memories that a message may bring along',
    zh: '每条消息最多带上的记忆条数',
  }),
  ranking: z.enum(['hybrid', 'text', 'hrr', 'seed']).default('hybrid').register(fieldDocs, {
    en: 'How memories are ranked: text and vectors together, text alone, with holographic vectors, or 0.6 similarity, 0.3 recency, 0.1 use',
    zh: '排序方式:hybrid(文本+向量)、text(仅文本)、hrr(加全息向量)、seed(0.6 相似度 / 0.3 时效 / 0.1 访问)',
  }),
  embedder: z.enum(['local', 'remote', 'off']).default('local').register(fieldDocs, {
    en: 'Where vectors come from; local needs `hermes memory setup` once',
    zh: '向量来源;local 需先运行一次 `hermes memory setup`',
  }),
  embed_base_url: z.string().optional().register(fieldDocs, {
    en: 'Address of an OpenAI-compatible embeddings service',
    zh: '兼容 OpenAI 的向量服务地址',
  }),
  embed_model: z.string().optional().register(fieldDocs, { en: 'Its model', zh: '向量模型' }),
  embed_api_key: z
    .string()
    .optional()
    .register(fieldDocs, { en: 'Its key', zh: '向量服务密钥', secret: true }),
  provider: z.enum(['none', 'honcho', 'mem0']).default('none').register(fieldDocs, {
    en: 'An outside memory service to be asked as well',
    zh: '外部记忆服务',
  }),
  retention_days: z.number().int().min(1).optional().register(fieldDocs, {
    en: 'Days after which a memory that nobody used may be cleaned up; 90 unless said otherwise',
    zh: '未被使用的记忆保留天数(默认 90)',
  }),
  summaries: z.boolean().default(true).register(fieldDocs, {
    en: 'Keep a summary of each conversation for the ones after it',
    zh: '为每次对话保存摘要,供之后的对话使用',
  }),
  write_approval: z.boolean().default(false).register(fieldDocs, {
    en: 'What Hermes wants to remember waits for your yes',
    zh: 'Hermes 的记忆写入需你确认',
  }),
  review: z.boolean().default(true).register(fieldDocs, {
    en: 'Look back at a conversation now and then for what is worth keeping',
    zh: '定期回顾对话,提取值得记住的内容',
  }),
  review_every: z.number().int().min(1).max(1000).default(10).register(fieldDocs, {
    en: 'Messages of the user between two reviews',
    zh: '两次回顾之间的用户消息数',
  }),
  review_model: z.string().optional().register(fieldDocs, {
    en: 'The model that reviews, as provider/model; a cheaper one will do',
    zh: '用于回顾的模型,写成 provider/model',
  }),
});
