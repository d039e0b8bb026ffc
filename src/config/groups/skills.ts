import { z } from 'zod';
import { fieldDocs } from '../field-docs.ts';

const list = (item: { en: string; zh: string }, en: string, zh: string) =>
  z.array(z.string().min(1).register(fieldDocs, item)).default([]).register(fieldDocs, { en, zh });

/** Procedures, written by people or by Hermes. */
export const skills = z.strictObject({
  offer: z.boolean().default(true).register(fieldDocs, {
    en: 'Offer skills that fit a message to the model',
    zh: '向模型推荐与消息匹配的技能',
  }),
  disabled: list({ en: 'A skill', zh: '技能名' }, 'Skills that are left out', '停用的技能'),
  projects: list(
    { en: 'A folder', zh: '目录' },
    'Folders whose .hermes/skills are believed',
    '信任其 .hermes/skills 的目录',
  ),
  registries: list(
    { en: 'An address or a file', zh: '地址或文件' },
    'Indexes of skills to search and install from',
    '技能索引(地址或文件)',
  ),
  trusted: list(
    { en: 'A publisher, such as github.com/example', zh: '发布者,例如 github.com/example' },
    'Publishers whose skills are believed more',
    '受信任的发布者',
  ),
  index_tokens: z.number().int().min(0).max(4000).default(600).register(fieldDocs, {
    en: 'Tokens that the list of skills may take in the prompt',
    zh: '提示词中技能列表的 token 上限',
  }),
});
