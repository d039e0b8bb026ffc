import type { Language } from '#kit/language';
import type { GovernanceRule } from '#spec/data';
import { definitionOf } from '#spec/data/operations';
import { namesOtherHours } from './named-hours.ts';
import { operationsIn } from './parse-rule.ts';
import { CATEGORIES } from '../../names.ts';

const WORDS = {
  en: {
    service: 'service',
    action: 'action',
    when: 'when',
    demand: 'demand',
    any: 'any',
    risky: 'destructive actions',
    always: 'at any time',
    within: (hours: string) => `between ${hours}`,
    outside: (hours: string) => `outside of ${hours}`,
    only: 'only for',
    unknownHours: (key: string) =>
      `at any time, because the hours are not set: \`hermes config set incidents.${key} 19:00-23:00\``,
    otherHours:
      'at any time, because the hours that it names are not understood: say them as a clock does, such as `between 09:00 and 18:00`, and take this one away',
    zone: '(UTC, unless `incidents.zone` is set)',
    notCovered: (names: string) =>
      `Not covered, a rule is about one action: ${names}. Say it as a rule of its own.`,
    everywhere: 'It holds in every environment: environments are not told apart.',
    bothWays: 'It holds for scaling up and down alike: the two are not told apart.',
    forbid: 'is not proposed',
    dry_run_only: 'is only rehearsed, never carried out',
    confirm_twice: 'needs a second confirmation by whoever approves it',
    separate_approver: 'needs the approval of somebody else than who asked for it',
    prefer: (what: string) => `${what} instead, where that is no riskier`,
  },
  zh: {
    service: '服务',
    action: '动作',
    when: '时间',
    demand: '要求',
    any: '任意',
    risky: '高风险动作',
    always: '任何时间',
    within: (hours: string) => `${hours} 之间`,
    outside: (hours: string) => `${hours} 之外`,
    only: '仅针对',
    unknownHours: (key: string) =>
      `任何时间,因为没有设置时段:\`hermes config set incidents.${key} 19:00-23:00\``,
    otherHours: '任何时间,因为其中的时段无法理解:请写明钟点再说一遍,例如 `09:00 到 18:00`,并删除这一条',
    zone: '(UTC,除非设置了 `incidents.zone`)',
    notCovered: (names: string) => `未包含(一条规则只管一个动作):${names}。请另说一条规则。`,
    everywhere: '对所有环境生效:目前不区分环境。',
    bothWays: '扩容和缩容都算:目前不区分方向。',
    forbid: '不提出',
    dry_run_only: '只演练,不执行',
    confirm_twice: '审批人必须二次确认',
    separate_approver: '必须由请求者以外的人审批',
    prefer: (what: string) => `改为${what}(风险不更高时)`,
  },
} as const;

const NAMES_WINDOW = /窗口|\bwindows?\b/i;
const NAMES_PEAK = /高峰|\bpeak\b|rush hour|busy hour/i;
const NAMES_WAY = /\bscal\w* (?:it )?(?:up|down|in|out)\b|\bdownscal\w*|\bupscal\w*|扩容|缩容/i;
const NAMES_ENVIRONMENT = /生产|预发|测试环境|线上|\bprod(?:uction)?\b|\bstaging\b/i;

/** A rule as it was understood, for whoever said it: one line a part. */
export function describeRule(rule: GovernanceRule, language: Language): string {
  const words = WORDS[language];
  const { service, operation, category, risk, hours, outside = false, effect, prefer, text } = rule;
  const span = hours && `${hours.start}–${hours.end} ${hours.zone ?? words.zone}`;
  const key = NAMES_WINDOW.test(text) ? 'change_window' : NAMES_PEAK.test(text) ? 'peak_hours' : undefined;
  const named = key ? words.unknownHours(key) : namesOtherHours(text) ? words.otherHours : words.always;
  const when = span ? (outside ? words.outside(span) : words.within(span)) : named;
  const action = operation ? definitionOf(operation).name[language] : risk ? words.risky : words.any;
  const others = operation
    ? operationsIn(text)
        .map((one) => one.operation)
        .filter((one) => one !== operation && one !== prefer?.operation && one !== 'observe')
    : [];
  const demand =
    effect === 'prefer'
      ? words.prefer(prefer ? definitionOf(prefer.operation).name[language] : '?')
      : words[effect];
  return [
    `- ${words.service}: ${service ?? words.any}`,
    `- ${words.action}: ${action}`,
    `- ${words.when}: ${when}`,
    ...(category ? [`- ${words.only}: ${CATEGORIES[category][language]}`] : []),
    `- ${words.demand}: ${demand}${prefer?.service ? ` (${prefer.service})` : ''}`,
    ...(NAMES_ENVIRONMENT.test(text) ? [`- ${words.everywhere}`] : []),
    ...(operation === 'scale_deployment' && NAMES_WAY.test(text) ? [`- ${words.bothWays}`] : []),
    ...(others.length
      ? [`- ${words.notCovered(others.map((other) => definitionOf(other).name[language]).join(', '))}`]
      : []),
  ].join('\n');
}
