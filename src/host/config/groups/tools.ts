import { z } from 'zod';
import { fieldDocs } from '../field-docs.ts';

/** How tools work. */
export const tools = z.strictObject({
  checkpoints: z.boolean().default(true).register(fieldDocs, {
    en: 'Keep a copy of the workspace before a turn changes it, for /rollback',
    zh: '每轮修改前保存工作区副本,供 /rollback 使用',
  }),
});
