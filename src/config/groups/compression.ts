import { z } from 'zod';
import { fieldDocs } from '../field-docs.ts';

const isThreshold = (value: number): boolean => (value >= 0.1 && value <= 0.95) || value >= 1_000;

/** When a long conversation is shortened, and by what. */
export const compression = z.strictObject({
  enabled: z.boolean().default(true).register(fieldDocs, {
    en: 'Shorten a conversation before it fills the window; when off, only after a model refused it as too long',
    zh: '对话接近上下文上限前自动压缩;关闭后仅在模型拒绝过长请求时压缩',
  }),
  threshold: z
    .number()
    .refine(isThreshold)
    .meta({ expects: 'a share from 0.1 to 0.95, or a number of tokens of at least 1000' })
    .default(0.75)
    .register(fieldDocs, {
      en: 'When it is shortened: a share of the room that messages have in the window (0.5), or their tokens (8000)',
      zh: '触发压缩的阈值:占可用上下文的比例(如 0.5),或消息的 token 数(如 8000)',
    }),
  keep_last: z.number().int().min(0).max(200).default(10).register(fieldDocs, {
    en: 'Newest messages that stay word for word, as far as they fill no more than half of what is kept',
    zh: '保留原文的最近消息条数(不超过保留量的一半)',
  }),
  model: z
    .string()
    .regex(/^[^/\s]+\/\S+$/)
    .meta({ expects: 'provider/model' })
    .optional()
    .register(fieldDocs, {
      en: 'The auxiliary model that writes summaries, as provider/model; otherwise the one that answers',
      zh: '撰写摘要的辅助模型,写成 provider/model;不填则用当前回答的模型',
    }),
});
