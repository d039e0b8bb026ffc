import { z } from 'zod';
import { CALLERS, Verdict } from '#spec/data';
import { fieldDocs } from '../field-docs.ts';

const level = () =>
  z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]).meta({
    expects: 'a level: 0 reads, 1 adds, 2 changes or runs, 3 is sensitive',
  });

const rule = () => ({
  deny_from: level()
    .optional()
    .register(fieldDocs, { en: 'From this level on, nothing is done at all', zh: '从该级别起一律拒绝' }),
  separate_approver: z.boolean().optional().register(fieldDocs, {
    en: 'Whoever asked for something may not grant it',
    zh: '申请人不能自己批准',
  }),
  smart: z.boolean().optional().register(fieldDocs, {
    en: 'The model may agree to levels 1 and 2 in place of a person',
    zh: '允许模型代替人批准 1–2 级操作',
  }),
});

const exception = () =>
  z.strictObject({
    ask_from: level()
      .optional()
      .register(fieldDocs, { en: 'From this level on, a person is asked', zh: '从该级别起需要人批准' }),
    ...rule(),
  });

const prefixes = (en: string, zh: string) =>
  z
    .array(z.string().min(1).register(fieldDocs, { en: 'First words of a command', zh: '命令的开头几个词' }))
    .default([])
    .register(fieldDocs, { en, zh });

/** Who may do what. Nothing here lifts what is denied outright. */
export const gate = z.strictObject({
  ask_from: level()
    .default(3)
    .register(fieldDocs, { en: 'From this level on, a person is asked', zh: '从该级别起需要人批准' }),
  ...rule(),
  allow: prefixes('Commands that need no agreement, such as "npm test"', '无需批准的命令,例如 "npm test"'),
  deny: prefixes('Commands that are always denied, such as "rm -rf"', '一律拒绝的命令,例如 "rm -rf"'),
  tools: z
    .record(
      z.string(),
      Verdict.register(fieldDocs, { en: 'What holds: allow, ask or deny', zh: 'allow、ask 或 deny' }),
    )
    .default({})
    .register(fieldDocs, { en: 'What holds for a tool, by name', zh: '按工具名设定' }),
  callers: z
    .partialRecord(z.enum(CALLERS), exception().register(fieldDocs, { en: 'A way in', zh: '来源' }))
    .default({})
    .register(fieldDocs, {
      en: 'Exceptions by way in: chat, cron, api, …',
      zh: '按来源的例外:chat、cron、api…',
    }),
  platforms: z
    .record(z.string(), exception().register(fieldDocs, { en: 'A platform', zh: '平台' }))
    .default({})
    .register(fieldDocs, {
      en: 'Exceptions by platform, such as telegram',
      zh: '按平台的例外,例如 telegram',
    }),
  backends: z
    .record(z.string(), exception().register(fieldDocs, { en: 'A backend', zh: '后端' }))
    .default({})
    .register(fieldDocs, { en: 'Stricter rules by backend', zh: '按后端收紧' }),
  approvers: z
    .array(z.string().register(fieldDocs, { en: 'Somebody, as channel:user', zh: '渠道:用户' }))
    .optional()
    .register(fieldDocs, { en: 'Who may grant, as channel:user', zh: '谁可以批准,写成 渠道:用户' }),
  without_sandbox: z.boolean().optional().register(fieldDocs, {
    en: 'Commands may run on this machine without a sandbox where bubblewrap does not work; without it, nothing runs',
    zh: 'bubblewrap 不可用时,允许命令不经沙箱直接在本机运行;不设置则不运行',
  }),
  taint: z.boolean().default(true).register(fieldDocs, {
    en: 'Ask before anything goes out once a session holds private data and words of strangers',
    zh: '会话同时含有私密数据与外来内容后,对外发送前先询问',
  }),
  wait_s: z
    .number()
    .min(1)
    .max(86_400 * 7)
    .default(300)
    .register(fieldDocs, { en: 'Seconds that a request waits for an answer', zh: '等待批准的秒数' }),
});
