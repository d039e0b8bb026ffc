import type { CauseCategory } from '#spec/data';
import { CATEGORIES } from '../../names.ts';
import { apart, sayingOf } from '../sayings.ts';

const DATABASES = ['db', 'database', 'mysql', 'sql', '数据库'];

/**
 * Kinds of causes, each told by its own name, by what programs say of it and by what people alone call it. What brings
 * others about comes first: memory that runs out slows queries, slow queries empty pools, empty pools end in time-outs.
 */
const KINDS: readonly (readonly [CauseCategory, programs: readonly string[], people?: readonly string[]])[] =
  [
    ['certificate', ['x509', 'tls']],
    ['disk', ['no space', 'enospc']],
    ['resource_exhaustion', ['memory(?! address)', 'oom', 'heap', '内存'], ['cpu', 'resource', '资源']],
    ['crash_loop', ['crash', 'panic', 'restart', 'exited', '崩溃', '重启']],
    ['hot_key', ['热点']],
    ['database_latency', ['query', 'statement', '(?:dead)?lock', '慢查询', '死锁'], DATABASES],
    ['connection_pool', ['pool'], DATABASES],
    ['rate_limit', ['throttl', 'quota', '429', '配额']],
    ['network_delay', ['丢包'], ['network', '网络']],
    [
      'dependency_timeout',
      ['timed? out', 'deadline', 'refused', 'unavailable', '504', '超时'],
      ['dependency', 'downstream', '依赖', '下游'],
    ],
  ];

/** Kinds that people alone name. */
const NAMED_BY_PEOPLE: readonly (readonly [CauseCategory, people: readonly string[]])[] = [
  ['deploy_regression', ['deploy', 'release', 'rollout', 'regression', '发布', '上线']],
  ['bad_config', ['config', 'flag', '配置', '开关']],
  ['traffic_surge', ['traffic', '流量']],
  ['external', ['external', 'vendor', 'third party', '外部', '第三方']],
  ['none', ['false alarm', '误报']],
];

const KNOWN = KINDS.map(([category, programs, people = []]) => {
  const { en, zh } = CATEGORIES[category];
  return { category, told: [en, zh, ...programs], people };
});
const TOLD = KNOWN.map(({ category, told }) => [category, sayingOf(told)] as const);
const MEANT = [
  ...NAMED_BY_PEOPLE.map(([category, people]) => [category, sayingOf(people)] as const),
  ...KNOWN.map(({ category, told, people }) => [category, sayingOf([...told, ...people])] as const),
];

/** The kind of a fault from what was said and measured about it, or `otherwise`. */
export function nameCategory(texts: readonly string[], otherwise: CauseCategory): CauseCategory {
  const said = texts.map(apart);
  return TOLD.find(([, telling]) => said.some((text) => telling.test(text)))?.[0] ?? otherwise;
}

/** All kinds of causes that a person may mean with a name or a sentence; none where it names no kind. */
export function meantCategories(text: string): readonly CauseCategory[] {
  const said = apart(text.normalize('NFKC'));
  return MEANT.flatMap(([category, telling]) => (telling.test(said) ? [category] : []));
}

const rank = (category: CauseCategory): number => KINDS.findIndex(([told]) => told === category);

/** What brings the other about comes first; a kind that no word tells, such as a release, before all. */
export const firstCause = (one: CauseCategory, other: CauseCategory): number => rank(one) - rank(other);
