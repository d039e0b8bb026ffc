import type { Digest } from '#spec/api';
import type { SkillEdit } from '#spec/data';
import type { Stage } from '../../domains/digests/digest.ts';
import { defineText } from '../../domains/language/define-text.ts';

interface DigestsText {
  readonly title: string;
  readonly span: string;
  readonly spans: Readonly<Record<'day' | 'week' | 'month', string>>;
  readonly before: string;
  readonly after: string;
  readonly now: string;
  readonly markdown: string;
  readonly cut: (count: number) => string;
  readonly opened: string;
  readonly ended: string;
  readonly inconclusive: string;
  readonly failed: string;
  readonly approvals: string;
  readonly granted: string;
  readonly denied: string;
  readonly expired: string;
  readonly alertsPerIncident: string;
  readonly heard: (deliveries: number, alerts: number) => string;
  readonly overTime: string;
  readonly openedEnded: string;
  readonly alerts: string;
  readonly recoverOverTime: string;
  readonly nothing: string;
  readonly nothingWhy: string;
  readonly times: string;
  readonly timesWhy: string;
  readonly stage: Readonly<Record<Stage, string>>;
  readonly stageWhy: Readonly<Record<Stage, string>>;
  readonly what: string;
  readonly count: string;
  readonly median: string;
  readonly p90: string;
  readonly spread: string;
  readonly spreadOf: (stage: string, count: number, least: string, most: string) => string;
  readonly noTimes: string;
  readonly services: string;
  readonly noService: string;
  readonly causes: string;
  readonly unknownCause: string;
  readonly severities: string;
  readonly done: string;
  readonly doneWhy: (recovered: number, notRecovered: number) => string;
  readonly noneDone: string;
  readonly repeated: string;
  readonly noneRepeated: string;
  readonly failedTitle: string;
  readonly noneFailed: string;
  readonly noise: string;
  readonly incident: string;
  readonly state: string;
  readonly cause: string;
  readonly service: string;
  readonly action: string;
  readonly outcome: string;
  readonly when: string;
  readonly deliveries: string;
  readonly learned: string;
  readonly lessons: string;
  readonly memories: string;
  readonly skills: string;
  readonly workflows: string;
  readonly knowledge: string;
  readonly evalCases: string;
  readonly edits: string;
  readonly noneLearned: string;
  readonly edit: Readonly<Record<SkillEdit['action'], string>>;
  readonly status: Readonly<Record<Digest['notRecovered'][number]['status'], string>>;
  readonly behind: (count: number) => string;
  readonly noneBehind: string;
  readonly show: (name: string, count: string) => string;
  readonly at: (time: string, name: string, value: string) => string;
}

export const digestsText = defineText<DigestsText>({
  en: {
    title: 'Digests',
    span: 'How long',
    spans: { day: 'Day', week: 'Week', month: 'Month' },
    before: 'Earlier',
    after: 'Later',
    now: 'Now',
    markdown: 'Markdown',
    cut: (count) => `There were more incidents than are counted here: these are the first ${count}.`,
    opened: 'Opened',
    ended: 'Ended',
    inconclusive: 'Cause not certain',
    failed: 'Actions that did not help',
    approvals: 'Approvals',
    granted: 'approved',
    denied: 'rejected',
    expired: 'expired',
    alertsPerIncident: 'Alerts for each incident',
    heard: (deliveries, alerts) => `${deliveries} deliveries, ${alerts} alerts`,
    overTime: 'Over time',
    openedEnded: 'Incidents opened and ended',
    alerts: 'Alerts',
    recoverOverTime: 'Median time to recover',
    nothing: 'Nothing happened',
    nothingWhy: 'No incident was opened, gone on with or ended in this time.',
    times: 'How long it took',
    timesWhy: 'from a second to a day, each step as much longer as the one before',
    stage: { detect: 'Detect', diagnose: 'Diagnose', decide: 'Decide', recover: 'Recover' },
    stageWhy: {
      detect: 'from the trouble to the incident',
      diagnose: 'from the incident to a certain cause',
      decide: 'from the request to the answer of a person',
      recover: 'from the trouble to the verified recovery',
    },
    what: 'Stage',
    count: 'Count',
    median: 'Median',
    p90: '90 % within',
    spread: 'Distribution',
    spreadOf: (stage, count, least, most) => `${stage}: ${count}, from ${least} to ${most}`,
    noTimes: 'none',
    services: 'By service',
    noService: 'not named',
    causes: 'By cause',
    unknownCause: 'Not found',
    severities: 'By severity',
    done: 'What was done',
    doneWhy: (recovered, notRecovered) => `${recovered} helped, ${notRecovered} did not`,
    noneDone: 'No action was carried out',
    repeated: 'Repeated faults',
    noneRepeated: 'No service had the same fault twice',
    failedTitle: 'Actions that did not end the incident',
    noneFailed: 'Every action that was carried out ended its incident',
    noise: 'Loudest incidents',
    incident: 'Incident',
    state: 'State',
    cause: 'Cause',
    service: 'Service',
    action: 'Action',
    outcome: 'Outcome',
    when: 'When',
    deliveries: 'Deliveries',
    learned: 'What was learned',
    lessons: 'Lessons',
    memories: 'Memories',
    skills: 'Skills from incidents',
    workflows: 'Workflows',
    knowledge: 'Knowledge',
    evalCases: 'Eval cases',
    edits: 'Skills changed',
    noneLearned: 'Nothing was learned in this time',
    edit: {
      created: 'created',
      repaired: 'repaired',
      improved: 'improved',
      merged: 'merged',
      archived: 'archived',
      restored: 'restored',
      rolled_back: 'rolled back',
      demoted: 'demoted',
    },
    status: {
      recovered: 'Recovered',
      not_recovered: 'Not recovered',
      uncertain: 'Uncertain',
      failed: 'Failed',
      unknown: 'Unknown',
      refused: 'Refused',
    },
    behind: (count) => (count === 1 ? '1 incident' : `${count} incidents`),
    noneBehind: 'No incident is behind this number',
    show: (name, count) => `${name}: ${count}. Show the incidents`,
    at: (time, name, value) => `${time}, ${name}: ${value}`,
  },
  zh: {
    title: '摘要',
    span: '时间范围',
    spans: { day: '日', week: '周', month: '月' },
    before: '更早',
    after: '更晚',
    now: '现在',
    markdown: 'Markdown',
    cut: (count) => `事故过多，此处只统计最早的 ${count} 个。`,
    opened: '新增',
    ended: '结束',
    inconclusive: '根因未定',
    failed: '未见效的操作',
    approvals: '审批',
    granted: '批准',
    denied: '拒绝',
    expired: '过期',
    alertsPerIncident: '每个事故的告警数',
    heard: (deliveries, alerts) => `投递 ${deliveries} 次，告警 ${alerts} 条`,
    overTime: '时间分布',
    openedEnded: '新增与结束的事故',
    alerts: '告警',
    recoverOverTime: '恢复时间中位数',
    nothing: '没有发生任何事',
    nothingWhy: '这段时间没有事故新增、推进或结束。',
    times: '耗时',
    timesWhy: '从一秒到一天，对数刻度',
    stage: { detect: '发现', diagnose: '定位', decide: '决策', recover: '恢复' },
    stageWhy: {
      detect: '从故障开始到建立事故',
      diagnose: '从建立事故到确定根因',
      decide: '从请求审批到有人答复',
      recover: '从故障开始到验证恢复',
    },
    what: '阶段',
    count: '次数',
    median: '中位数',
    p90: '90 % 不超过',
    spread: '分布',
    spreadOf: (stage, count, least, most) => `${stage}：${count} 次，从 ${least} 到 ${most}`,
    noTimes: '无',
    services: '按服务',
    noService: '未指明',
    causes: '按根因',
    unknownCause: '未找到',
    severities: '按级别',
    done: '采取的操作',
    doneWhy: (recovered, notRecovered) => `有效 ${recovered} 次，无效 ${notRecovered} 次`,
    noneDone: '没有执行任何操作',
    repeated: '重复故障',
    noneRepeated: '没有服务重复出现同样的故障',
    failedTitle: '未能结束事故的操作',
    noneFailed: '执行过的操作都结束了事故',
    noise: '告警最多的事故',
    incident: '事故',
    state: '状态',
    cause: '根因',
    service: '服务',
    action: '操作',
    outcome: '结果',
    when: '时间',
    deliveries: '投递次数',
    learned: '学到了什么',
    lessons: '经验',
    memories: '记忆',
    skills: '来自事故的技能',
    workflows: '工作流',
    knowledge: '知识',
    evalCases: '评测用例',
    edits: '技能变更',
    noneLearned: '这段时间没有学到新内容',
    edit: {
      created: '新建',
      repaired: '修复',
      improved: '改进',
      merged: '合并',
      archived: '归档',
      restored: '恢复',
      rolled_back: '回滚',
      demoted: '降级',
    },
    status: {
      recovered: '已恢复',
      not_recovered: '未恢复',
      uncertain: '不确定',
      failed: '失败',
      unknown: '未知',
      refused: '被拒绝',
    },
    behind: (count) => `${count} 个事故`,
    noneBehind: '这个数字背后没有事故',
    show: (name, count) => `${name}：${count}。显示相关事故`,
    at: (time, name, value) => `${time}，${name}：${value}`,
  },
});
