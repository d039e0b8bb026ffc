import type { CauseCategory, GovernanceRule, Operation } from '#spec/data';
import type { Hours } from './hours.ts';
import { namedHours, type RuleHours } from './named-hours.ts';

/** What sentences refer to without saying it. */
export interface RuleSettings extends RuleHours {
  /** Names of services that are known; others are recognised by a dash in them. */
  readonly services?: readonly string[];
}

const OPERATION_WORDS: readonly (readonly [RegExp, Operation])[] = [
  [/roll(?:ing|ed)?[- ]?backs?|revert\w*|回滚|回退/i, 'rollback_canary'],
  [/restart\w*|reboot\w*|重启/i, 'restart_deployment'],
  [/\bscal(?:e|ed|ing)\b|扩容|缩容|扩缩容/i, 'scale_deployment'],
  [
    /(?:switch|shift|mov|cut)\w* (?:over )?(?:the )?traffic|traffic (?:switch|shift)\w*|切流|切换流量|流量切换/i,
    'switch_traffic',
  ],
  [
    /(?:flush|clear|empty)\w* (?:the |its )?cache|cache flush\w*|(?:清空|清理|清除|刷新?)缓存/i,
    'flush_cache',
  ],
  [/fail(?:ing|ed)?[- ]?overs?|主备切换|故障转移|切换到?备/i, 'failover_dependency'],
  [
    /(?:chang|rais|lower|adjust|increas|lift)\w* (?:the |its )?rate[- ]?limit|(?:调整|修改|提高|降低|放宽)限流/i,
    'change_rate_limit',
  ],
  [
    /config\w* changes?|(?:chang|edit)\w* (?:the |its )?(?:config\w*|settings?)|(?:修改|变更|调整)配置|配置变更/i,
    'change_config',
  ],
  [/degrad\w*|降级/i, 'degrade_dependency'],
  [/observ\w*|只观察|观察/i, 'observe'],
];

const CATEGORY_WORDS: readonly (readonly [RegExp, CauseCategory])[] = [
  [/超时|tim(?:es|ed|ing) ?out|time-?outs?|\b504\b/i, 'dependency_timeout'],
  [/连接池|connection pool/i, 'connection_pool'],
  [/限流时|被限流|rate[- ]limited|\b429\b/i, 'rate_limit'],
  [/热 ?key|热点 ?key|hot ?keys?/i, 'hot_key'],
  [/慢查询|数据库(?:变)?慢|slow (?:database|quer)|database latency/i, 'database_latency'],
  [/流量(?:突增|激增|洪峰)|traffic surge/i, 'traffic_surge'],
];

const HIGH_RISK = /高风险|高危|危险(?:动作|操作)|high[- ]risk|destructive|dangerous/i;
/** Without one of these a sentence is not about what may be done to systems. */
const ABOUT_ACTIONS =
  /变更|动作|操作|执行|发布|上线|\bchanges?\b|\bactions?\b|\boperations?\b|execut\w*|deploy\w*|releas\w*|dry[- ]?run/i;

const TWICE =
  /二次确认|两次确认|再次确认|CONFIRM_EXECUTE|second confirmation|confirm\w* (?:twice|again)|double[- ]confirm\w*|confirmed? a second time/i;
const UNAPPROVED =
  /without (?:an? |prior |explicit )?approval|unless (?:it is )?approved|未经(?:审批|批准|同意)/i;
const REHEARSE =
  /(?:只能|只允许|仅允许|仅能|只可|仅可|一律) ?(?:做|用|进行)? ?(?:dry[- ]?run|演练|预演|试运行)|dry[- ]?runs? only|only (?:a |be )?dry[- ]?runs?|only dry[- ]?run|(?:不能|不得|不要|禁止|不可|不许|不准|严禁)直接|(?:\bnot\b|never|no|n't|cannot)\b[^.;]{0,60}\bdirect(?:ly)?\b/i;
const FORBIDDEN =
  /不能|不得|禁止|不允许|不可|不许|不准|严禁|不要|must not|mustn't|may not|never|do not|don't|cannot|can't|forbidden|prohibited|not allowed|\bno (?:\w+ )?(?:changes?|restarts?|rollbacks?|deploys?|actions?)\b/i;
const APPROVED =
  /必须(?:先)?(?:经过?|由\S{0,12}?)?(?:审批|批准)|需要?(?:先)?(?:经过?|由?\S{0,12}?)?(?:审批|批准)|(?:requires?|needs?|must (?:have|get|be)|(?:has|have) to be) (?:\w+[- ]){0,4}?approv(?:al|ed)|subject to approval|approved by/i;

/** Two parts: what to do, and what to do it instead of. */
const PREFERENCES: readonly RegExp[] = [
  /优先(?<better>.+?)(?:,|,)?(?:而不是|而非|不要|再考虑|再)(?<worse>.+)/,
  /先(?<better>.+?)(?:,|,)?(?:再|然后|之后才)(?<worse>.+)/,
  /prefer (?<better>.+?) (?:to|over|instead of|rather than|before) (?<worse>.+)/i,
  /(?<better>.+?) (?:instead of|rather than) (?<worse>.+)/i,
  /(?<better>degrad.+?|scal.+?|observ.+?) before (?<worse>.+)/i,
];

/**
 * Reads a rule of the house from a plain sentence, in English or Chinese. Undefined for a sentence that asks for nothing
 * that a rule can ask for. Every action waits for an approval anyway: a rule that demands one asks for somebody else than
 * whoever requested it. Hours that are named and not known hold all day.
 */
export function parseRule(text: string, id: string, settings: RuleSettings = {}): GovernanceRule | undefined {
  const sentence = text
    .normalize('NFKC')
    .replace(/^[\s>*•-]+/, '')
    .trim();
  if (!sentence) return undefined;
  const preferred = preference(sentence, settings);
  if (preferred) return { id, text: text.trim(), ...preferred };
  const effect = effectOf(sentence);
  if (!effect) return undefined;
  const operation = operationIn(sentence);
  const hours = namedHours(sentence, settings);
  const risky = HIGH_RISK.test(sentence);
  if (!operation && !risky && !hours.named && !ABOUT_ACTIONS.test(sentence)) return undefined;
  const service = servicesIn(sentence, settings)[0];
  return {
    id,
    text: text.trim(),
    ...(service === undefined ? {} : { service }),
    ...(operation === undefined ? {} : { operation }),
    ...(risky ? { risk: 'destructive' as const } : {}),
    ...hoursOf(hours),
    effect,
  };
}

function effectOf(sentence: string): Exclude<GovernanceRule['effect'], 'prefer'> | undefined {
  if (TWICE.test(sentence)) return 'confirm_twice';
  if (UNAPPROVED.test(sentence)) return 'separate_approver';
  if (REHEARSE.test(sentence)) return 'dry_run_only';
  if (FORBIDDEN.test(sentence)) return 'forbid';
  return APPROVED.test(sentence) ? 'separate_approver' : undefined;
}

function preference(
  sentence: string,
  settings: RuleSettings,
): Omit<GovernanceRule, 'id' | 'text'> | undefined {
  for (const pattern of PREFERENCES) {
    const { better = '', worse = '' } = pattern.exec(sentence)?.groups ?? {};
    const instead = lastOperationIn(better);
    const avoided = operationIn(worse);
    if (!instead || !avoided || instead === avoided) continue;
    const avoidedService = servicesIn(worse, settings)[0];
    const before = sentence.slice(0, sentence.lastIndexOf(worse));
    const insteadService = servicesIn(before, settings)[0];
    const category = CATEGORY_WORDS.find(([words]) => words.test(sentence))?.[1];
    return {
      ...(avoidedService === undefined ? {} : { service: avoidedService }),
      operation: avoided,
      ...(category === undefined ? {} : { category }),
      ...hoursOf(namedHours(sentence, settings)),
      effect: 'prefer',
      prefer: {
        operation: instead,
        ...(insteadService === undefined ? {} : { service: insteadService }),
      },
    };
  }
  return undefined;
}

const hoursOf = ({ hours, outside }: { hours?: Hours | undefined; outside: boolean }) =>
  hours === undefined ? {} : { hours, ...(outside ? { outside } : {}) };

const operationsIn = (text: string): { operation: Operation; at: number }[] =>
  OPERATION_WORDS.flatMap(([words, operation]) => {
    const at = words.exec(text)?.index;
    return at === undefined ? [] : [{ operation, at }];
  }).toSorted((one, other) => one.at - other.at);

const operationIn = (text: string): Operation | undefined => operationsIn(text)[0]?.operation;
const lastOperationIn = (text: string): Operation | undefined => operationsIn(text).at(-1)?.operation;

const DASHED = /(?<![\w.-])[a-z][a-z0-9_.]*(?:-[a-z0-9_.]*[a-z0-9])+(?![\w-])/gi;
const NO_SERVICE =
  /^(?:dry|roll|fail|high|low|non|off|pre|post|re|two|double|second|change|peak|rate|read|on)-|-(?:run|back|over|limit|limits|risk|hours?|peak|window|windows|call|only|step|key|keys|out)$/i;

/** In the order of the text. */
function servicesIn(text: string, { services = [] }: RuleSettings): string[] {
  const known = services
    .map((service) => ({ service, at: placeIn(text, service) }))
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => one.at - other.at || other.service.length - one.service.length)
    .map(({ service }) => service);
  if (known.length) return known;
  return [...text.matchAll(DASHED)].map(([name]) => name).filter((name) => !NO_SERVICE.test(name));
}

function placeIn(text: string, service: string): number {
  const escaped = service.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`, 'i').exec(text)?.index ?? -1;
}
