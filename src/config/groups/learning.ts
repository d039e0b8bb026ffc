import { z } from 'zod';
import { fieldDocs } from '../field-docs.ts';

/** How Hermes gets better with use. */
export const learning = z.strictObject({
  enabled: z.boolean().default(true).register(fieldDocs, {
    en: 'Keep experiences and make skills of them',
    zh: '记录经验并生成技能',
  }),
  threshold: z.number().int().min(2).max(100).default(3).register(fieldDocs, {
    en: 'Similar tasks that make a skill',
    zh: '生成技能所需的相似任务数',
  }),
  reflect_every: z.number().int().min(1).max(1000).default(15).register(fieldDocs, {
    en: 'Tasks between two looks at how skills do',
    zh: '两次技能反思之间的任务数',
  }),
  approve: z.boolean().default(false).register(fieldDocs, {
    en: 'New and changed skills wait for your yes',
    zh: '新建与修改技能需你确认',
  }),
  stale_days: z.number().int().min(1).default(30).register(fieldDocs, {
    en: 'Days without use after which a skill of its own counts as stale',
    zh: '自建技能多少天未用视为陈旧',
  }),
  archive_days: z.number().int().min(1).default(90).register(fieldDocs, {
    en: 'Days without use after which it is archived',
    zh: '自建技能多少天未用后归档',
  }),
});
