import { isUrgent, operationsIn, parseRule, readReport, soundsLikeRule } from '#engines/aiops';
import { asksForLastTime, routeMessage } from '#engines/memory';
import { servicesIn, withoutName } from '#kit/service-names';
import { changesSomething } from '#spec/data/operations';
import {
  APPROVES,
  asks,
  asksHow,
  asksLeave,
  asksPast,
  asksState,
  asksWhy,
  asksMeaning,
  authors,
  CLAUSES,
  compares,
  destroys,
  forbids,
  isHere,
  recurs,
  wantsToBeTold,
  saysBefore,
} from './mood.ts';
import { namesProgram } from './slots.ts';
import { NEARLY_SURE, SURE } from './sureness.ts';
import type { Meaning } from './topics.ts';

/** What it counts that a grammar reads a rule or a report in the message, beside its likeness to phrasings. */
const AGREES = 0.2;
const MOST_LOOKED_UP = { words: 4, characters: 8 };
/** Meant for sure, by the grammar of the sentence. */
const DESTRUCTION: Meaning = { kind: 'deed', id: 'dangerous', score: 2 * SURE };
const TROUBLE: Meaning = { kind: 'deed', id: 'trouble', score: 2 * SURE };
const LIKELY_TROUBLE: Meaning = { ...TROUBLE, score: NEARLY_SURE };
const ACTION: Meaning = { kind: 'deed', id: 'action', score: SURE };
const LOOK_BACK: Meaning = { kind: 'ask', id: 'recall', score: SURE };

const howto = (id: string): Meaning => ({ kind: 'howto', id, score: 2 * SURE });
const REQUESTS =
  /\brequest\w*|\bask(?:s|ed|ing)?\b|\bappl(?:y|ies|ied)\b|\bopen(?:s|ed)?\b|申请|发起|请求|提交/i;
const NOT_THE_SAME =
  /\bsame\b|\bown\b|\b(?:him|her|my|your|it)self\b|\bthemsel\w+|\bisn'?t\b|\bnot the\b|\bdifferent\b|\bsecond\b|自己|同一|本人|另一|别人|不是一个人/i;
const SEEN =
  /\b(?:see|seen|show|shows|list|find|visible|missing|empty|only)\b|看不到|看不见|没有显示|查不到|找不到|只(?:看到|有|显示)|空的/i;
const BOXED =
  /\bsandbox\b|\bbubblewrap\b|\bbwrap\b|\bthrough you\b|\bvia you\b|\bin here\b|\bwith you\b|沙箱|沙盒|你(?:这|这里|这儿|里面)|通过你|在你/i;
const OF_MACHINE =
  /\bprocess(?:es)?\b|\bports?\b|\bps\b|\bss\b|\bnetstat\b|\blsof\b|\bdocker\b|\bfiles?\b|\bhome\b|\bdaemons?\b|\bservices?\b|进程|端口|容器|文件|目录|服务/i;

const WAITS =
  /\bwait(?:s|ing)?\b|\bpending\b|\boutstanding\b|\bneeds? my\b|\bfor me to\b|\bqueue\b|等|待|需要我|要我/i;
const COMPOSES =
  /\b(?:write|draft|compose|word|phrase)\b.{0,30}\b(?:e-?mails?|mails?|letters?|announcements?|statements?|tweets?|posts?|newsletters?|slides?|speech)\b|(?:写|起草|拟|编)(?:一|个|篇|封|份|段|条|下)*.{0,12}(?:邮件|公告|信|通告|声明|文案|推文|致歉|道歉)/i;

/** A program is to be handled now: `reload haproxy pls`. */
const HANDLES =
  /^\s*(?:(?:please|pls|hey|hermes|can you|could you|go|ok)[\s,]+)*(?:reload|restart|bounce|stop|start)\s+(?:the\s+)?(?!(?:a|an|hermes|new|over|with|from|using|asking|chat|session|server|it|them|all)\b)[a-z][\w.@-]+(?:\s+(?:service|daemon|unit|please|pls|now|asap))*\s*(?:[,.!，。].*)?$|^\s*(?:请|麻烦|帮我|帮忙|把)*(?:重启|重载|重新加载|停掉|拉起)(?:一下|下)?\s*[a-z][\w.@-]+/i;

/** Sentences whose parts say what is meant, whatever words stand between them. */
const GRAMMARS: readonly { readonly meant: Meaning; readonly means: (said: string) => boolean }[] = [
  {
    meant: howto('separate-approver'),
    means: (said) => asks(said) && [REQUESTS, APPROVES, NOT_THE_SAME].every((part) => part.test(said)),
  },
  {
    meant: { kind: 'ask', id: 'approvals-pending', score: SURE },
    means: (said) =>
      asks(said) && !asksHow(said) && !asksWhy(said) && [APPROVES, WAITS].every((part) => part.test(said)),
  },
  {
    meant: { kind: 'ask', id: 'rules', score: SURE },
    means: (said) =>
      asks(said) &&
      !asksHow(said) &&
      /\b(?:any|a|which|what|list|have)\b.{0,20}\b(?:rules?|polic(?:y|ies)|restrictions?)\b|(?:有没有|有哪些|哪些|什么|有).{0,12}(?:规则|规定|规矩|限制)/i.test(
        said,
      ) &&
      !/\b(?:alert|firewall|iptables|recording|prometheus|routing)\b|告警|防火墙|限制(?:内存|cpu)|限流/i.test(
        said,
      ),
  },
  // Whoever wants something written for others wants a writer.
  { meant: { kind: 'none', id: 'general', score: SURE }, means: (said) => COMPOSES.test(said) },
  // Nothing is sent yet: what to do instead stands on its page.
  { meant: howto('notifications'), means: wantsToBeTold },
  {
    meant: howto('sandbox-view'),
    means: (said) =>
      (asksWhy(said) || asksHow(said)) && [SEEN, BOXED, OF_MACHINE].every((part) => part.test(said)),
  },
  {
    meant: howto('known-about-me'),
    means: (said) =>
      /\b(?:know|remember|stored?|got|have|learn(?:ed|t)?|keep|kept)\b.{0,20}\b(?:about|on|of) me\b/i.test(
        said,
      ) ||
      /(?:知道|了解|记得|记住|存|记)(?:了|着)?(?:关于)?我(?:的|些|多少|什么|啥|哪|$)|关于我(?:的|你|都|$)|对我(?:有|的|了解|知道)/.test(
        said,
      ),
  },
  {
    meant: howto('secrets'),
    means: (said) =>
      !asks(said) &&
      /\b(?:passwords?|passwd|api[- ]?keys?|secrets?|tokens?|credentials?)\b|密码|口令|密钥|令牌/i.test(
        said,
      ) &&
      /\b(?:save|store|keep|put|hold on to)\b|存|保存|收着|记/i.test(said) &&
      !/\b(?:forget|delete|remove|erase|rotate|never|don'?t)\b|忘|删|清|不要|别/i.test(said),
  },
  {
    meant: howto('backup-home'),
    means: (said) =>
      /\b(?:mov(?:e|ing)|migrat\w+|replac(?:e|ing)|new|another|decommission\w*)\b.{0,20}\b(?:vm|box|host|machine|server|laptop)s?\b|(?:换|搬|迁移?|退役).{0,8}(?:机|服务器|主机|电脑)|(?:机器|服务器|主机|虚拟机).{0,6}(?:搬|迁|换|退役)/i.test(
        said,
      ) &&
      /\bcop(?:y|ied)\b|\bback(?:ed)? ?up\b|\b(?:bring|take|carry|come) (?:along|with)\b|\blos(?:t|e|ing)\b|拷|备份|带(?:走|过去|上)|丢|复制/i.test(
        said,
      ),
  },
  {
    meant: { kind: 'reading', id: 'uptime', score: SURE + AGREES },
    means: (said) =>
      /\bwho (?:has )?re(?:booted|started)\b|谁.{0,6}重启/i.test(said) &&
      !APPROVES.test(said) &&
      servicesIn(said).length === 0,
  },
  {
    meant: howto('getting-started'),
    means: (said) =>
      /\b(?:(?:just|newly|fresh(?:ly)?) (?:installed|set ?up|got|downloaded)|first (?:time|day) (?:here|with|using)|new (?:here|to (?:this|hermes)))\b|刚(?:刚|才)?(?:装|安装|下载|部署|接触|上手)|新手|第一次用|头一回用/i.test(
        said,
      ) &&
      /\bstart|\bbegin|\bfirst\b|\bnow what\b|\bwhat (?:do i do|now|next)\b|\blost\b|\bhelp\b|从哪|先(?:做|干|看)|怎么(?:用|开始|上手|玩)|下一步|干(?:什么|啥|嘛)|第一步/i.test(
        said,
      ) &&
      servicesIn(said).length === 0,
  },
  {
    meant: { kind: 'deed', id: 'schedule', score: SURE },
    means: (said) =>
      !asks(said) && /\bremind me\b(?! (?:what|how|why|which|who|where|when|of|about)\b)|提醒我/i.test(said),
  },
  { meant: ACTION, means: (said) => HANDLES.test(said) },
  {
    meant: { kind: 'reading', id: 'service', score: SURE },
    means: (said) =>
      namesProgram(said) && /\bhow many\b|\bcount\b|\bnumber of\b|几个|多少|数量|各自|每个/i.test(said),
  },
];

/** What the grammar of a sentence says by itself, whatever phrasings it is near to. */
export function meantByGrammar(said: string, services: readonly string[]): Meaning[] {
  return [
    ...(destroys(said) ? [DESTRUCTION] : []),
    ...(asksPast(said) ? [LOOK_BACK] : []),
    ...GRAMMARS.flatMap(({ meant, means }) => (means(said) ? [meant] : [])),
    ...(tellsOfTrouble(said, services) || tellsOfFigure(said) ? [TROUBLE] : []),
    ...(tellsOfThing(said) ? [LIKELY_TROUBLE] : []),
    ...(asksLeave(said) && asks(said) && !asksHow(said) && namesAction(said, services) ? [ACTION] : []),
    ...(authors(said)
      ? [{ kind: 'howto', id: isWorkflow(said) ? 'write-workflow' : 'write-skill', score: SURE } as const]
      : []),
  ];
}

/** A configuration that is of no service is the own one, which people change themselves. */
const namesAction = (said: string, services: readonly string[]): boolean =>
  operationsIn(said).some(
    ({ operation }) => operation !== 'change_config' || servicesIn(said, services).length > 0,
  );

/** A statement that names a service and says that something is off with it, or moves: no question, wish, rule or note. */
function tellsOfTrouble(said: string, services: readonly string[]): boolean {
  const [service] = servicesIn(said, services);
  if (service === undefined || authors(said)) return false;
  // Whoever tells it may also wonder about it in the next breath.
  const told = said.split(CLAUSES).find((clause) => clause.includes(service)) ?? said;
  if (asks(told)) return false;
  const rest = withoutName(said, service);
  const rule = soundsLikeRule(rest) ? parseRule(said, 'told') : undefined;
  // Whoever is in trouble also says what is not to be done about it now.
  if (rule && !isUrgent(rest)) return false;
  // What is not to be done is no wish either.
  const wished =
    !rule &&
    rest
      .split(CLAUSES)
      .filter((clause) => !forbids(clause))
      .map(withoutCause)
      .some((clause) => operationsIn(clause).some(({ operation }) => changesSomething(operation)));
  return (
    !wished && (readReport(said)?.mood === 'tells' || (!recurs(said) && isUrgent(rest) && /\d/.test(rest)))
  );
}

/** What has been done already: `主从切换了`. */
const DONE = /(?:主[备从])?(?:切换|重启|重新启动|回滚|回退|扩容|缩容|降级)(?:了|过)/g;

/** This machine, or a thing that has a name of one word, and a symptom of it; a runbook for it may still be nearer. */
const tellsOfThing = (said: string): boolean => {
  const report =
    asks(said) || authors(said) || recurs(said) || soundsLikeRule(said) ? undefined : readReport(said);
  return (
    report?.mood === 'tells' &&
    (report.service !== undefined || isHere(said)) &&
    operationsIn(said.replaceAll(DONE, ' ')).length === 0
  );
};

const FIGURE =
  /\b(?:success|conversion|hit|checkout|login|payment|error|failure|delivery|acceptance)[- ]?rates?\b|\b(?:orders|logins|sign-?ups|payments|checkouts|requests|transactions|messages) per (?:second|minute|hour)\b|\b(?:orders|logins|sign-?ups|payments|checkouts|conversions?|throughput|tps)\b|(?:成功|转化|命中|支付|下单|登录|失败|错误|送达|可用)率|(?:订单|下单|成交|支付|登录|注册|交易|请求)(?:量|数)|吞吐/i;
const MOVED =
  /\b(?:fell|fall(?:s|ing|en)|drop(?:s|ped|ping)?|plung\w+|plummet\w*|sank|halved|(?:went|going|came|is) (?:down|up)|rose|ris(?:es|ing|en)|climb\w+|jump\w+|spik\w+|doubl\w+|tripl\w+|below|under)\b|(?:掉|跌|降|涨|升|飙)(?:到|至|了|成)|骤降|下跌|下降|腰斩|翻倍|飙升|低于/i;

/** A figure of the business that moved, with a number, as something that happens: no wish to be told when it does. */
const tellsOfFigure = (said: string): boolean =>
  FIGURE.test(said) &&
  MOVED.test(said) &&
  /\d|一半|零/.test(said) &&
  !asks(said) &&
  !/\b(?:if|when(?:ever)?|once|unless)\b|如果|一旦|要是|的话|提醒|通知/i.test(said) &&
  !soundsLikeRule(said);

/** What was done before it began is no wish to have it done. */
const withoutCause = (clause: string): string =>
  clause.replace(/\b(?:since|after|following)\b.*$|^.*(?:之?后|以来|导致|引起)/i, '');

const OTHER_LOG =
  /\b(?:system|kernel|syslog|nginx|app|application|service|pod|container)\b|系统|内核|应用|服务|容器|\/\w/i;
/** A path speaks for readings of what lies there. */
const PATH_NAMED = /(?<![\w:/.~])~?\/[a-z][\w/.-]*/i;
const OF_PATHS = new Set([
  'disk-space',
  'inodes',
  'largest-folders',
  'large-files',
  'log-file',
  'mounts',
  'deleted-files',
]);

const isWorkflow = (said: string): boolean => /workflow|工作流|流程/i.test(said);

/** A word or two, as whoever looks something up types them. */
const isShort = (said: string): boolean =>
  said.trim().split(/\s+/).length <= MOST_LOOKED_UP.words &&
  (said.match(/\p{Script=Han}/gu)?.length ?? 0) <= MOST_LOOKED_UP.characters;

/** What tells and what wants is no question; what is to be done at another time says when. */
export function isPossible({ kind, id }: Meaning, said: string): boolean {
  // What a word means is asked; of something that happens nobody wants a definition.
  // The log of Hermes is asked for as that of the one that is spoken to.
  if (kind === 'ask' && id === 'own-logs')
    return /\b(?:you|your|yours|hermes|own)\b|你|自己|hermes/i.test(said) || !OTHER_LOG.test(said);
  if (kind === 'term') return asks(said) || compares(said) || isShort(said);
  // What tells two things apart is no state of this machine, and nothing that goes wrong.
  if (kind === 'reading' || id === 'trouble' || id === 'why') return !compares(said);
  if (kind !== 'deed') return true;
  // Whoever asks how something is done wants to know it, and not to have it done.
  if (asksHow(said) && ['action', 'forget', 'approve', 'publish'].includes(id)) return false;
  if (id === 'schedule') return recurs(said) && !authors(said) && !wantsToBeTold(said);
  if (id === 'action') return !asks(said) || asksLeave(said) || /\byou\b|[你您]|帮|请/i.test(said);
  return !['remember', 'preference', 'rule', 'close', 'publish'].includes(id) || !asks(said);
}

const ASKS_RUNBOOK = /\b(?:runbook|playbook|procedure)s?\b|手册|预案/i;

/** A grammar that can read the message as what a topic means speaks for that topic. */
export function agreement({ kind, id }: Meaning, said: string): number {
  if (kind === 'reading')
    return (
      (OF_PATHS.has(id) && PATH_NAMED.test(said) ? AGREES / 2 : 0) +
      (isHere(said) || asksState(said) ? AGREES / 2 : 0) -
      (asksWhy(said) ? AGREES / 2 : 0)
    );
  // Of what is the case nobody wants a definition first.
  if (kind === 'term') return asksMeaning(said) || asksWhy(said) || isShort(said) ? 0 : -AGREES / 2;
  if (kind === 'skill') return ASKS_RUNBOOK.test(said) ? AGREES / 2 : 0;
  const back = kind === 'ask' && !saysBefore(said) && routeMessage(said).route === 'recall';
  if (back && id === 'sessions') return asksForLastTime(said) ? 2 * AGREES : 0;
  if (back && id === 'recall') return asksForLastTime(said) ? 0 : AGREES;
  if (kind !== 'deed' || asks(said)) return 0;
  const report = readReport(said);
  if (id === 'rule') return soundsLikeRule(said) && parseRule(said, 'told') ? AGREES : 0;
  if (id === 'trouble') return report?.mood === 'tells' ? AGREES / 2 : 0;
  const wanted = operationsIn(said).some(({ operation }) => changesSomething(operation));
  return id === 'action' && wanted && !report && !asksHow(said) ? AGREES / 2 : 0;
}
