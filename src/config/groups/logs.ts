import { z } from 'zod';
import { LOG_LEVELS } from '#spec/data';
import { fieldDocs } from '../field-docs.ts';

/** What is written to `logs/` of the home. */
export const logs = z.strictObject({
  level: z.enum(LOG_LEVELS).default('info').register(fieldDocs, {
    en: 'The least that a line in the log must matter: debug, info, warn or error',
    zh: '写入日志的最低级别:debug、info、warn 或 error',
  }),
});
