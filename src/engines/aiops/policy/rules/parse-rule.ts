import { type CauseCategory, type GovernanceRule, type Operation, OPERATIONS } from '#spec/data';
import { changesSomething, definitionOf } from '#spec/data/operations';
import { servicesIn as namedIn } from '#kit/service-names';
import type { Hours } from './hours.ts';
import { namedHours, type RuleHours } from './named-hours.ts';

/** What sentences refer to without saying it. */
export interface RuleSettings extends RuleHours {
  /** Names of services that are known; others are recognised by a dash in them. */
  readonly services?: readonly string[];
}

/** One of the expressions, as part of another one. */
const anyOf = (words: readonly RegExp[]): string => `(?:${words.map(({ source }) => source).join('|')})`;

const OPERATION_WORDS = OPERATIONS.map((operation) => {
  const { rules } = definitionOf(operation);
  return { operation, words: new RegExp(anyOf([rules.en, rules.zh]), 'i') };
});
const DEFINITIONS = OPERATIONS.map(definitionOf);
const CHANGING = OPERATIONS.filter(changesSomething).map(definitionOf);
const EN_GENTLE = anyOf(
  DEFINITIONS.filter(({ risk }) => risk !== 'destructive').map(({ rules }) => rules.en),
);
const ZH_CHANGING = anyOf(CHANGING.map(({ rules }) => rules.zh));
const NOUNS = CHANGING.flatMap(({ rules: { noun } }) => noun ?? []).join('|');

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
const FORBIDDEN = new RegExp(
  anyOf([
    /不能|不得|禁止|不允许|不可|不许|不准|严禁|不要/,
    /must not|mustn't|may not|\bnever\b|nobody|no one|do not|don't|cannot|can't|forbidden|prohibited|not allowed/,
    new RegExp(`\\bno (?:\\w+ )?(?:change|deploy|action|${NOUNS})(?:e?s)?\\b`),
  ]),
  'i',
);
/** A condition that nobody but a person can know: they have to say a second time that it is met. */
const CONDITIONED =
  /only (?:after|once|when|if|with)\b|not (?:be )?\w* ?(?:until|unless|before)\b|只有.+才|(?:之?后|完成|完毕|确认)才(?:能|可以?|允许)|才(?:能|可以)|(?:之前|前)(?:必须|要|需要?)先?(?:确认|检查|通知|备份)|must (?:first )?(?:notify|check|confirm|back ?up|drain)\b/i;
/** Allowed within some hours alone: forbidden outside of them. */
const ONLY_THEN =
  /只能在|只可在|仅(?:限|能在|允许在)|只允许在|only (?:in|during|within|between|inside)\b|\bonly\b[^.;]{0,40}\b(?:in|during|within|between|inside) /i;
const APPROVED = new RegExp(
  anyOf([
    /必须(?:先)?(?:经过?|走|由\S{0,12}?)?(?:审批|批准|同意)|(?:需要?|须|要)(?:先)?(?:经过?|走|由?\S{0,12}?)?(?:审批|批准|同意)/,
    new RegExp(`(?:只能|必须)由\\S{1,16}?(?:执行|操作|审批|批准|${ZH_CHANGING})`),
    /人工(?:审批|确认)|(?:另一个人|第二个人|两个人|双人).{0,6}(?:审批|批准|同意|点头|签字|确认|复核)/,
    /sign(?:ed|s)?[- ]?off|(?:two|2|both|another|a second) (?:people|persons?|engineers?|pairs? of eyes)|only \S+ (?:may|can|is allowed to)|(?:requires?|needs?|must (?:have|get|be)|(?:has|have) to be) (?:\w+[- ]){0,4}?approv(?:al|ed)|subject to approval|approved by/,
  ]),
  'i',
);

/** That something comes before everything else. In English the clause names it, in Chinese what follows. */
const FIRST_EN =
  /\bfirst(?: of all)?\b|\bbefore (?:anything|everything|all) else\b|\bbefore any other (?:action|step|measure|thing)s?\b/i;
const FIRST_ZH = /(?:首先|优先|率先|首要|第一步|(?<![预事原])先(?![前后进生天例]))(?<better>[^,。;]+)/;
/** What happened, is asked, or is only the first of its kind demands nothing. */
const NO_DEMAND =
  /\b(?:was|were|had|did|has been|failed(?! over)|yesterday|last (?:time|night|week|month))\b|\bthe first (?!thing|step|measure|action|move)|\?\s*$|昨天|上次|当时|已经|了[。.!]?\s*$|吗/i;
/** Days are no hours: a rule that held on every day would not be what was said. */
const DAYS =
  /周[一二三四五六日天末]|星期[一二三四五六日天]|礼拜|工作日|节假日|(?<!\d)\d{1,2} ?月|\d+ ?[号日](?!志)|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\bweek(?:end|day)s?\b|\b(?:january|february|march|april|june|july|august|september|october|november|december)\b|\bholidays?\b/i;

/** Two parts: what to do, and what to do it instead of. */
const PREFERENCES: readonly RegExp[] = [
  /优先(?<better>.+?)(?:,|,)?(?:而不是|而非|不要|再考虑|再)(?<worse>.+)/,
  /先(?<better>.+?)(?:,|,)?(?:再|然后|之后才)(?<worse>.+)/,
  /prefer (?<better>.+?) (?:to|over|instead of|rather than|before) (?<worse>.+)/i,
  /(?<better>.+?) (?:instead of|rather than) (?<worse>.+)/i,
  new RegExp(`(?<better>${EN_GENTLE}.*?) before (?<worse>.+)`, 'i'),
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
  if (!sentence || DAYS.test(sentence)) return undefined;
  const preferred =
    preference(sentence, settings) ?? contrast(sentence, settings) ?? firstThing(sentence, settings);
  if (preferred) return { id, text: text.trim(), ...preferred };
  const hours = namedHours(sentence, settings);
  const within = ONLY_THEN.test(sentence) && hours.named && !hours.outside;
  const effect = within ? 'forbid' : effectOf(sentence);
  if (!effect) return undefined;
  // Of a sentence that names several, what is forbidden stands with the word that forbids it.
  const forbidding =
    effect === 'forbid' ? clausesOf(sentence).find((clause) => NEGATED.test(clause)) : undefined;
  const operation = operationIn(forbidding ?? '') ?? operationIn(sentence);
  const risky = HIGH_RISK.test(sentence);
  if (!operation && !risky && !hours.named && !ABOUT_ACTIONS.test(sentence)) return undefined;
  const service = servicesIn(forbidding ?? '', settings)[0] ?? servicesIn(sentence, settings)[0];
  return {
    id,
    text: text.trim(),
    ...(service === undefined ? {} : { service }),
    ...(operation === undefined ? {} : { operation }),
    ...(risky ? { risk: 'destructive' as const } : {}),
    ...hoursOf(within ? { ...hours, outside: hours.hours !== undefined } : hours),
    effect,
  };
}

/** Why a sentence that sounds like a rule is none: it names days, demands nothing that is known, or names no action. */
export function whyNoRule(text: string): 'days' | 'demand' | 'action' {
  const sentence = text.normalize('NFKC');
  if (DAYS.test(sentence)) return 'days';
  return effectOf(sentence) ? 'action' : 'demand';
}

/** Whether a sentence says what may or must be done, or may not. */
export const soundsLikeRule = (text: string): boolean =>
  effectOf(text.normalize('NFKC')) !== undefined ||
  /\b(?:must|never|always|only|requires?|needs?|forbidden|not allowed|prohibited|frozen|freeze)\b|必须|不能|不得|禁止|只能|仅限|需要|优先|严禁|不允许|先|封网|冻结/i.test(
    text,
  );

const clausesOf = (sentence: string): string[] =>
  sentence.split(/[,,。;;.!!]\s*|\s+(?:and|but)\s+|但是?|而且?/i);
const NEGATED =
  /不能|不得|禁止|不允许|不可|不许|不准|严禁|不要|别|勿|must not|mustn't|may not|never|nobody|no one|do not|don't|dont\b|cannot|can't|\bnot\b|forbidden|prohibited|\bno\b/i;

/** One action is wanted and another is not: "degrade it first, don't roll back order-service". */
function contrast(sentence: string, settings: RuleSettings): Omit<GovernanceRule, 'id' | 'text'> | undefined {
  const clauses = clausesOf(sentence).flatMap((clause) => {
    const operation = operationIn(clause);
    return operation ? [{ clause, operation, negated: NEGATED.test(clause) }] : [];
  });
  const wanted = clauses.find(({ negated }) => !negated);
  const unwanted = clauses.find(({ negated }) => negated);
  if (!wanted || !unwanted || wanted.operation === unwanted.operation) return undefined;
  const [named] = servicesIn(sentence, settings);
  const better = servicesIn(wanted.clause, settings)[0] ?? named;
  const worse = servicesIn(unwanted.clause, settings)[0] ?? named;
  return {
    ...(worse === undefined ? {} : { service: worse }),
    operation: unwanted.operation,
    ...categoryIn(sentence),
    ...hoursOf(namedHours(sentence, settings)),
    effect: 'prefer',
    prefer: { operation: wanted.operation, ...(better === undefined ? {} : { service: better }) },
  };
}

const categoryIn = (sentence: string): Pick<GovernanceRule, 'category'> => {
  const category = CATEGORY_WORDS.find(([words]) => words.test(sentence))?.[1];
  return category === undefined ? {} : { category };
};

/** "must be degraded first": whatever else would be done to it. */
function firstThing(
  sentence: string,
  settings: RuleSettings,
): Omit<GovernanceRule, 'id' | 'text'> | undefined {
  if (FORBIDDEN.test(sentence) || NO_DEMAND.test(sentence)) return undefined;
  const [service] = servicesIn(sentence, settings);
  const clause = clausesOf(sentence).find((one) => FIRST_EN.test(one)) ?? '';
  const instead = operationIn(FIRST_ZH.exec(sentence)?.groups?.['better'] ?? clause);
  if (!instead || service === undefined) return undefined;
  return {
    service,
    ...hoursOf(namedHours(sentence, settings)),
    effect: 'prefer',
    prefer: { operation: instead, service },
  };
}

function effectOf(sentence: string): Exclude<GovernanceRule['effect'], 'prefer'> | undefined {
  if (TWICE.test(sentence)) return 'confirm_twice';
  if (UNAPPROVED.test(sentence)) return 'separate_approver';
  if (REHEARSE.test(sentence)) return 'dry_run_only';
  if (APPROVED.test(sentence)) return 'separate_approver';
  if (CONDITIONED.test(sentence)) return 'confirm_twice';
  return FORBIDDEN.test(sentence) ? 'forbid' : undefined;
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
    return {
      ...(avoidedService === undefined ? {} : { service: avoidedService }),
      operation: avoided,
      ...categoryIn(sentence),
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

/** Actions that a text names, in its order. Of two that begin at the same place, the longer words are meant. */
export const operationsIn = (text: string): { operation: Operation; at: number }[] =>
  OPERATION_WORDS.flatMap(({ operation, words }) => {
    const found = words.exec(text);
    return found ? [{ operation, at: found.index, length: found[0].length }] : [];
  })
    .toSorted((one, other) => one.at - other.at || other.length - one.length)
    .map(({ operation, at }) => ({ operation, at }));

const operationIn = (text: string): Operation | undefined => operationsIn(text)[0]?.operation;
const lastOperationIn = (text: string): Operation | undefined => operationsIn(text).at(-1)?.operation;

const servicesIn = (text: string, { services = [] }: RuleSettings): string[] => namedIn(text, services);
