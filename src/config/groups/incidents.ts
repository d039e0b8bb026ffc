import { z } from 'zod';
import { OPERATIONS } from '#spec/data';
import { fieldDocs } from '../field-docs.ts';

const seconds = (most: number) => z.number().positive().max(most);

const Hours = z
  .string()
  .regex(/^\s*([01]?\d|2[0-3]):[0-5]\d\s*-\s*([01]?\d|2[0-3]):[0-5]\d\s*$/)
  .meta({ expects: 'hours as in 19:00-23:00' });

/** How incidents are looked into, and what may be done about them. */
export const incidents = z.strictObject({
  baseline_minutes: z.number().positive().max(1_440).default(60).register(fieldDocs, {
    en: 'How much of the time before an alert it is compared with',
    zh: '与告警前多长时间对比(分钟)',
  }),
  lead_seconds: seconds(3_600).default(180).register(fieldDocs, {
    en: 'How long before its alert an incident may have begun',
    zh: '故障可能早于告警多久开始(秒)',
  }),
  collect_seconds: seconds(300).default(30).register(fieldDocs, {
    en: 'Within this, evidence is collected',
    zh: '采集证据的时限(秒)',
  }),
  recheck_seconds: z
    .array(seconds(86_400))
    .min(1)
    .default([30, 60, 120, 300, 600])
    .register(fieldDocs, { en: 'When to look again, round by round', zh: '每轮之间的间隔(秒)' }),
  most_rounds: z.number().int().min(1).max(100).default(12).register(fieldDocs, {
    en: 'Rounds after which only a person or the alerts move an incident on',
    zh: '自动复查的最多轮数',
  }),
  approval_hours: z.number().positive().max(168).default(12).register(fieldDocs, {
    en: 'How long a request for approval waits',
    zh: '审批请求的有效时间(小时)',
  }),
  publish_skills: z.boolean().default(true).register(fieldDocs, {
    en: 'Write a runbook skill and a workflow from an incident that ended well',
    zh: '从顺利结束的事故写出 runbook 技能与工作流',
  }),
  second_reader: z.boolean().default(true).register(fieldDocs, {
    en: 'Let the configured model read a root cause a second time: two questions an incident, with the diffs of blamed changes',
    zh: '让所配置的模型复核根因:每次事故两问,附上被怀疑变更的差异',
  }),
  execute: z.boolean().default(false).register(fieldDocs, {
    en: 'Carry approved actions out; off, they are only rehearsed',
    zh: '执行已批准的动作;关闭时只演练',
  }),
  operations: z.array(z.enum(OPERATIONS)).default([]).register(fieldDocs, {
    en: 'Operations that may be carried out; none unless they stand here',
    zh: '允许执行的动作;不列出即不允许',
  }),
  unattended: z.boolean().default(false).register(fieldDocs, {
    en: 'Carry out without asking what a grant of incidents.yaml covers; off, everything waits for a person',
    zh: '无需询问即执行 incidents.yaml 中授权的低风险动作;关闭时一律等人审批',
  }),
  confirm_always: z.boolean().default(false).register(fieldDocs, {
    en: 'Every approval asks for the second confirmation',
    zh: '所有审批都要求二次确认',
  }),
  confirm_word: z.string().min(4).max(64).default('CONFIRM_EXECUTE').register(fieldDocs, {
    en: 'The word of the second confirmation',
    zh: '二次确认口令',
  }),
  confidence: z.number().min(0).max(1).default(0.5).register(fieldDocs, {
    en: 'Below this confidence nothing destructive is proposed',
    zh: '低于该置信度时不提出高风险动作',
  }),
  settle_seconds: seconds(3_600).default(60).register(fieldDocs, {
    en: 'How long an action is given before its effect is looked at, and how long alerts have to stay away',
    zh: '动作生效后多久开始验证，以及告警须消失多久才算解除(秒)',
  }),
  check_seconds: seconds(3_600).default(60).register(fieldDocs, {
    en: 'Between two looks at the recovery',
    zh: '两次恢复检查的间隔(秒)',
  }),
  stable_checks: z.number().int().min(1).max(20).default(3).register(fieldDocs, {
    en: 'Good looks in a row that are a recovery',
    zh: '判定恢复所需的连续良好次数',
  }),
  most_checks: z.number().int().min(1).max(100).default(10).register(fieldDocs, {
    en: 'Looks after which an action counts as failed',
    zh: '判定未恢复的最多检查次数',
  }),
  group_minutes: z.number().positive().max(1_440).default(10).register(fieldDocs, {
    en: 'Alerts within this of each other may be one incident',
    zh: '多长时间内的告警可归为同一事故(分钟)',
  }),
  zone: z
    .string()
    .default('UTC')
    .register(fieldDocs, { en: 'Zone of hours in rules', zh: '规则时段所用时区' }),
  peak_hours: Hours.optional().register(fieldDocs, {
    en: 'Peak hours, such as 19:00-23:00',
    zh: '高峰时段,如 19:00-23:00',
  }),
  change_window: Hours.optional().register(fieldDocs, {
    en: 'Change window, such as 02:00-05:00',
    zh: '变更窗口,如 02:00-05:00',
  }),
  retain_hours: z.number().positive().max(720).default(6).register(fieldDocs, {
    en: 'How long the built-in store keeps telemetry',
    zh: '内置遥测的保留时间(小时)',
  }),
});
