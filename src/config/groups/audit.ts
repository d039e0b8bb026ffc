import { z } from 'zod';
import { fieldDocs } from '../field-docs.ts';

/** Where the end of the audit log is told outside of the home. */
export const audit = z.strictObject({
  anchor: z.string().min(1).optional().register(fieldDocs, {
    en: 'Who is told where the audit log ends: an absolute path outside of the home, syslog, syslog://host:port, or an http address for OTLP logs; nobody without one',
    zh: '在主目录之外记录审计日志链头的位置:绝对路径、syslog、syslog://主机:端口,或接收 OTLP 日志的 http 地址;未设置则不记录',
  }),
  every: z.number().int().min(1).default(20).register(fieldDocs, {
    en: 'After how many entries it is told',
    zh: '每隔多少条记录一次',
  }),
  seconds: z.number().min(1).default(60).register(fieldDocs, {
    en: 'After how many seconds it is told at the latest, once something was added',
    zh: '有新增时最迟多少秒后记录',
  }),
});
