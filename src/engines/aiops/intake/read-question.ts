import { servicesIn } from '#kit/service-names';
import type { Severity } from '#spec/data';

/** What is asked about incidents and what belongs to them. */
export type IncidentQuestion =
  | {
      readonly about: 'incidents';
      readonly which: 'open' | 'ended' | 'all';
      /** The newest alone, with its verdict. */
      readonly last: boolean;
      readonly severity?: Severity;
      /** How far back, in hours. */
      readonly hours?: number;
      readonly service?: string;
    }
  /** Everything of a span of time: incidents, changes and what waits. */
  | { readonly about: 'span'; readonly hours: number }
  /** A text about an incident, or about all of some days. */
  | {
      readonly about: 'document';
      readonly kind: 'post-mortem' | 'digest';
      readonly hours: number;
      readonly service?: string;
    }
  | { readonly about: 'approvals'; readonly all: boolean }
  | { readonly about: 'changes'; readonly service?: string }
  | { readonly about: 'service'; readonly service: string }
  | { readonly about: 'rules'; readonly service?: string };

/** A list, a look or a question is wanted; anything else is a report, a rule or a wish to learn how. */
const WANTED =
  /\b(?:list|show|display|get|see|view|any|are there|is there|which|what|tell me|give me|how many|summar\w+|why did)\b|[??]\s*$|列出|显示|查看|查一?下|看一?下|看看|有没有|有哪些|哪些|是什么|多少|还有|给我|汇总|最近|为什么/i;
const HOW_TO = /\bhow (?:do|can|to|should)\b|\bcan (?:i|you|we)\b|怎么|如何|怎样|能不能|可以.*吗/i;
const INCIDENTS = /\b(?:incidents?|outages?)\b|(?<!\w)P[1-4]s\b|事故|故障|事件(?!驱动)/i;
const HAPPENED =
  /\bhappen(?:ed|ing|s)\b|\b(?:anything|what'?s|what is|what was|something) (?:new|going on|missed|up)\b|\bdid i miss\b|\bcatch me up\b|\bbring me up to (?:date|speed)\b|发生(?:了|过)?(?:什么|哪些|啥)|(?:有|出)(?:了|过)?(?:什么|啥)(?:事|情况|动静|异常)(?!故)|错过了什么/i;
/** A text is wanted, and no trouble told. */
const POST_MORTEM =
  /\bpost-?\s?mortems?\b|\bretrospectives?\b|\bincident (?:report|review|write-?up)\b|\breport (?:of|on|about|for) (?:the |an? |our )?(?:\w+ )?(?:incident|outage)\b|复盘|事故报告|故障报告|事后分析/i;
const DIGEST =
  /\bhand-?\s?overs?\b|\bhand(?:ing)? over\b|\b(?:shift|on-?call) (?:notes?|summary|report)\b|\b(?:report|summary|digest|overview) (?:of|on|about|for) (?:the |all |our )?(?:incidents|outages|shift)\b|\bsummari[sz]e (?:the |all |our )?(?:\w+ )?(?:incidents|outages|shift)\b|\bincident (?:digest|summary)\b|交接|(?:事故|故障)的?(?:周报|日报|月报|汇总|总结|统计)/i;
const DEFAULT_HOURS = 24;
const WEEK_HOURS = 24 * 7;
const APPROVALS =
  /\bapprovals?\b|\b(?:waits?|waiting|pending)\b[^.;]{0,20}\b(?:for|on) (?:me|us|my|approval|a decision)\b|\bneeds? my (?:ok|decision|yes|attention)\b|\bpending requests?\b|待(?:我)?(?:审批|批准|确认|处理)|等(?:待|着)?(?:我)?(?:们)?(?:来|去)?(?:审批|批准|确认|处理|同意)|审批(?:列表|请求|单)|(?:有|哪些).{0,6}审批/i;
/** A yes to whatever there is: nobody can mean that, so what waits is shown. */
const APPROVE_ALL =
  /^(?:please |just |hermes,? |ok,? )*(?:approve|accept|grant|confirm|allow|agree to)\b(?=.{0,30}\b(?:everything|all|them|any(?:thing)?|pending|whatever|waiting|it)\b)|(?:全部|所有|一律|一键|都|统统|通通).{0,10}(?:批准|同意|通过(?!后)|审批|确认)|(?:批准|同意|通过|审批|确认)(?:掉)?(?:全部|所有|一切|它们)/i;
const CHANGES =
  /\bwhat (?:has )?changed\b|\b(?:recent|latest|last) (?:changes?|deploys?|deployments?|releases?|rollouts?)\b|\bdeploy(?:ment)? history\b|最近.{0,12}(?:变更|发布|上线|部署|改动)|(?:变更|发布)(?:记录|历史)/i;
const RULES = /\brules?\b|\bpolic(?:y|ies)\b|规则/i;
const KNOWN = /\bdepend\w*|\bowners?\b|\bowns\b|\bprofile\b|\brules?\b|依赖|负责人|画像|规则|谁负责|上下游/i;
const LAST =
  /\b(?:last|latest|newest|most recent)\b(?! (?:night|week|month|\d|hour|day|few))|最近一次|最近的|最新|上一次|上次|上个/i;
const OPEN =
  /\bopen\b|\bongoing\b|\bactive\b|\bcurrent(?:ly)?\b|\bunresolved\b|\bstill\b|\bright now\b|未关闭|未解决|没有?关闭|进行中|还在|当前|现在/i;
const ENDED = /\bclosed\b|\bresolved\b|\bended\b|已关闭|已解决|已恢复|结束/i;
const SPANS: readonly (readonly [RegExp, number])[] = [
  [/\b(?:last|past|this) 24 ?h\w*|\btoday\b|今天|24 ?小时/i, 24],
  [/\blast night\b|\bovernight\b|昨晚|夜里|昨夜/i, 16],
  [/\byesterday\b|昨天/i, 48],
  [/\bweekend\b|周末/i, 72],
  [/\b(?:this|last|past) week\b|\bweekly\b|\bseven days\b|本周|这周|上周|一周|周报|七天|7 ?天/i, WEEK_HOURS],
  [/\b(?:this|last|past) month\b|本月|这个月|上个月|一个月|30 ?天/i, 24 * 31],
];

/** Reads a question about incidents, approvals, changes, rules or a service. Undefined for anything else. */
export function readQuestion(text: string, services: readonly string[] = []): IncidentQuestion | undefined {
  const said = text.normalize('NFKC').trim();
  if (HOW_TO.test(said)) return undefined;
  if (APPROVE_ALL.test(said)) return { about: 'approvals', all: true };
  const document = documentIn(said, services);
  if (document) return document;
  const bare = said.split(/\s+/).length <= 3 && !/[,,。.]/.test(said.slice(0, -1));
  if (!WANTED.test(said) && !bare) return undefined;
  const [service] = servicesIn(said, services);
  // Names have words in them, too: `profile-service` is no question about a profile.
  const about = service === undefined ? said : said.replaceAll(service, ' ');
  if (APPROVALS.test(said)) return { about: 'approvals', all: false };
  if (CHANGES.test(said)) return { about: 'changes', ...(service ? { service } : {}) };
  if (service && KNOWN.test(about)) return { about: 'service', service };
  const hours = spanIn(said);
  if (HAPPENED.test(about) && !INCIDENTS.test(about) && !service)
    return { about: 'span', hours: hours ?? DEFAULT_HOURS };
  if (INCIDENTS.test(about) || HAPPENED.test(about)) {
    const grade = /(?<!\w)P([1-4])/i.exec(said)?.[1];
    const ended = ENDED.test(said);
    return {
      about: 'incidents',
      which: ended ? 'ended' : OPEN.test(said) ? 'open' : 'all',
      last: LAST.test(said) && hours === undefined,
      ...(grade ? { severity: `P${grade}` as Severity } : {}),
      ...(hours === undefined ? {} : { hours }),
      ...(service ? { service } : {}),
    };
  }
  if (
    RULES.test(said) &&
    /house|told|team|our|list|show|which|what|团队|我们|哪些|列出|查看|有没有/i.test(said)
  )
    return { about: 'rules', ...(service ? { service } : {}) };
  return undefined;
}

const spanIn = (said: string): number | undefined => SPANS.find(([words]) => words.test(said))?.[1];

/** "Write the post-mortem", "hand over to the next shift": what is stored is told, and no incident is opened. */
function documentIn(said: string, services: readonly string[]): IncidentQuestion | undefined {
  const kind = POST_MORTEM.test(said) ? 'post-mortem' : DIGEST.test(said) ? 'digest' : undefined;
  if (!kind) return undefined;
  const [service] = servicesIn(said, services);
  return {
    about: 'document',
    kind,
    hours: spanIn(said) ?? (/交接|hand|shift/i.test(said) ? DEFAULT_HOURS : WEEK_HOURS),
    ...(service ? { service } : {}),
  };
}
