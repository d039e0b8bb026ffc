import { z } from 'zod';
import { CACHE_TTLS, THINKING_LEVELS } from '#spec/data';
import { fieldDocs } from '../field-docs.ts';
import { endpointShape, name } from './endpoint.ts';

const seconds = (fallback: number) => z.number().min(0).default(fallback);

const timeouts = z.strictObject({
  first_byte_s: seconds(120).register(fieldDocs, {
    en: 'Seconds to wait for the first byte of an answer; 0 = no limit',
    zh: '等待首个字节的秒数;0 表示不限',
  }),
  stall_s: seconds(180).register(fieldDocs, {
    en: 'Seconds a running answer may stay silent; 0 = no limit',
    zh: '回答过程中允许的最长静默秒数;0 表示不限',
  }),
  total_s: seconds(1800).register(fieldDocs, {
    en: 'Seconds for one whole answer; 0 = no limit',
    zh: '单次回答的总秒数;0 表示不限',
  }),
});

const credentials = z.strictObject({
  strategy: z
    .enum(['fill_first', 'round_robin', 'random', 'least_used'])
    .default('fill_first')
    .register(fieldDocs, { en: 'How the next of several keys is chosen', zh: '有多个密钥时的选用方式' }),
  keys: z
    .array(z.string().register(fieldDocs, { en: 'A key, as ${NAME}', zh: '密钥,写成 ${NAME}', secret: true }))
    .default([])
    .register(fieldDocs, { en: 'Further keys of the same provider', zh: '同一服务商的其他密钥' }),
});

const fallback = z.strictObject({
  provider: name().register(fieldDocs, { en: 'Provider to turn to', zh: '备用服务商' }),
  ...endpointShape(),
});

const tier = z.union([
  z
    .string()
    .regex(/^[^/\s]+\/\S+$/)
    .meta({ expects: 'provider/model' }),
  z.strictObject({
    provider: name().register(fieldDocs, { en: 'Provider of this tier', zh: '该档位的服务商' }),
    model: name().register(fieldDocs, { en: 'Model of this tier', zh: '该档位的模型' }),
  }),
]);

const tiers = z.strictObject({
  simple_qa: tier
    .optional()
    .register(fieldDocs, { en: 'Model for simple questions', zh: '简单问答用的模型' }),
  skill_execution: tier
    .optional()
    .register(fieldDocs, { en: 'Model for running skills', zh: '执行技能用的模型' }),
  complex_reasoning: tier
    .optional()
    .register(fieldDocs, { en: 'Model for hard reasoning', zh: '复杂推理用的模型' }),
  code_generation: tier
    .optional()
    .register(fieldDocs, { en: 'Model for writing code', zh: '代码生成用的模型' }),
});

/** Which model answers, and how it is called. */
export const llm = z.strictObject({
  provider: name().optional().register(fieldDocs, {
    en: 'Provider; without it the first one whose key is set, else the built-in operator',
    zh: '服务商;不填则用第一个已设置密钥的服务商,否则用内置操作员',
  }),
  ...endpointShape(),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .optional()
    .register(fieldDocs, { en: 'Randomness of answers', zh: '回答的随机程度' }),
  max_tokens: z
    .number()
    .int()
    .min(1)
    .optional()
    .register(fieldDocs, { en: 'Most tokens of one answer', zh: '单次回答的最大 token 数' }),
  context_window: z.number().int().min(2048).optional().register(fieldDocs, {
    en: 'Tokens the model can read, where it is not known',
    zh: '模型上下文长度(未知时填写)',
  }),
  thinking: z
    .enum(THINKING_LEVELS)
    .default('off')
    .register(fieldDocs, { en: 'How much the model thinks before it answers', zh: '回答前的思考程度' }),
  cache_ttl: z
    .enum(CACHE_TTLS)
    .default('5m')
    .register(fieldDocs, { en: 'How long the provider keeps the prompt cached', zh: '提示词缓存的保留时间' }),
  max_retries: z
    .number()
    .int()
    .min(0)
    .max(10)
    .default(3)
    .register(fieldDocs, { en: 'Retries of a failed call', zh: '调用失败后的重试次数' }),
  timeouts: timeouts.prefault({}).register(fieldDocs, { en: 'Time limits of a call', zh: '调用时限' }),
  credentials: credentials
    .prefault({})
    .register(fieldDocs, { en: 'Several keys of one provider', zh: '同一服务商的多个密钥' }),
  fallback: z.array(fallback).default([]).register(fieldDocs, {
    en: 'Endpoints to turn to, in order, when the model fails',
    zh: '模型失败时依次尝试的备用端点',
  }),
  tiers: tiers.optional().register(fieldDocs, { en: 'Models by kind of work', zh: '按任务类型选用模型' }),
});
