/**
 * What a sentence does, by words of the closed classes alone: it asks, wants something done again and again, or wants
 * something destroyed. Such words are few in any language and do not change with what is spoken of.
 */

const ASKS_ZH =
  /(?:吗|呢|么|没有?|不)[\s。.!！?？]*$|有没有|有无|是不是|是否|能不能|可不可以|会不会|要不要|该不该|哪(?!都|也|怕)|谁(?!都|也)|几[个次台条点]|多少|多久|多大|多长|怎么|如何|怎样|为什么|为何|为啥|什么(?!都|也)|啥(?!都|也)|咋/;
const ASKS_EN =
  /(?:^|[,.;:&]\s*|\s(?:and|but|so|also|or)\s+)(?:(?:please|hey|hi|hermes|ok|so|btw)[\s,]+)*(?:(?:what|where|when|who|how)(?:'s|s)?|which|whose|why|is|are|was|were|does|did|has|had|any(?!.*\b(?:must|has to|have to|needs?|may not|requires?|shall)\b)|am|(?:do|have)(?= (?:i|we|you|they|these|those|the|any|all|our|my)\b)|(?:can|could|will|would|should|may|might|must)(?! you\b))\b/i;

/** `…, ok?`, `…,好吗`: told, and only said like a question. */
const TAG =
  /[,，.。;；!！\s]+(?:ok|okay|right|alright|got it|understood|agreed|deal|yes|please)\s*[?？!！.。]*$|[,，\s]*(?:好吗|好不好|可以吗|行吗|行不行|明白吗|懂了吗|对吧|是吧|好吧|知道了吗|谢谢)[?？!！。]*$/i;

/** A sentence without the question that is only hung on to it. */
export const withoutTag = (said: string): string => said.replace(TAG, '').trim() || said;

/** Whether something is asked, in any part of it. `could you …` is a wish. */
export const asks = (said: string): boolean =>
  /[?？]/.test(said.replaceAll(/https?:\S+/g, ' ')) || ASKS_EN.test(said) || ASKS_ZH.test(said);

/** Whether a part of a message orders something: `show me …`, `再把 …`. */
export const orders = (said: string): boolean =>
  /^\s*(?:(?:please|pls|hey|hermes|first|then|also|and|can you|could you)[\s,]+)*(?:show|tell|list|give|print|paste|tail|check|explain|get|find|look|dump|display)\b/i.test(
    said,
  ) ||
  /^\s*(?:请|麻烦|帮我|帮忙|给我|先|再|然后|顺便|也)*(?:看|查|说|告诉|列|给我|贴|讲|把|打印|显示|展示|找|发)/.test(
    said,
  );

/** Whether it is asked how something is done: nobody wants it done with that. */
export const asksHow = (said: string): boolean =>
  /(?:^|[,.;:]\s*)(?:(?:and|so|but|hey|hi|hermes|please|tell me|show me)[\s,]+)*how\b(?! (?:many|much|long|full|big|old|far|often|about|come|high|busy)\b)|怎么(?!回事|样|不|没|还)|如何|怎样|咋(?=[配设弄写做加改让])|能(?:不能)?配(?:置|成)?吗|可以配(?:置)?吗|支持.{0,12}吗/i.test(
    said,
  );

/** Whether something is not to be done: nothing is started on such a sentence. */
export const forbids = (said: string): boolean =>
  /\b(?:don'?t|do not|never|not|no|without|stop|instead of|rather than)\b|不要|别|勿|不准|禁止|先不|不用|不必|停止/i.test(
    said,
  );

/** A question that wants something done: `could you run …?`, `能不能跑一下 …`. */
export const requests = (said: string): boolean =>
  /^(?:(?:please|pls|hey|hi|hermes|ok|so)[\s,]+)*(?:can|could|would|will) you\b(?! (?:tell|explain|describe))/i.test(
    said,
  ) ||
  (/(?:能不能|能否|可不可以|可以|能|麻烦|请|帮我?|给我)\S{0,4}(?:跑|运行|执行|用|检查|查|做)/.test(said) &&
    !/什么|啥|干嘛|怎么|为什么|区别|哪|作用|用途/.test(said));

/** Whether it is asked what something is. */
export const asksMeaning = (said: string): boolean =>
  /\b(?:what(?:'s| is| are| does| do)|whats|mean(?:s|ing)?|differences?|diff|differ|vs|versus|explain|define)\b|是(?:什么|啥)|什么是|啥是|什么叫|意思|区别|不同|差别|不一样|差在哪|区分|解释|(?:说|讲)的是/i.test(
    said,
  );

/** Whether two things are to be told apart. */
export const compares = (said: string): boolean =>
  /\b(?:differences?|diff|differ|vs|versus)\b|区别|差别|不一样|差在哪|有(?:何|什么|啥)不同|怎么区分/i.test(
    said,
  );

/** Somebody else is to approve in the place of a person: no rule, and nobody asks how. */
export const delegatesApproval = (said: string): boolean =>
  APPROVES.test(said) &&
  /\b(?:for me|on my behalf|in my (?:name|place|stead)|yourself)\b|[替帮代]我|你(?:自己|来|直接)/i.test(
    said,
  ) &&
  !asksHow(said) &&
  !recurs(said) &&
  !/\b(?:list|show|see|check|which|what|any|must|needs?|requires?|never|only|don'?t)\b|看|查|列|哪|什么|有没有|必须|需要|不(?:能|要|得|许|准)|禁止|[?？]\s*$/i.test(
    said,
  );

/** Whether a reason is asked for: figures alone are none. */
export const asksWhy = (said: string): boolean =>
  /\bwhy\b|\bhow come\b|为什么|为何|为啥|咋(?:不|没)|怎么(?:不|没|还)/i.test(said);

/** Whether a skill, a workflow or a runbook is to be written. */
export const authors = (said: string): boolean =>
  /\b(?:writ(?:e|ing)|creat(?:e|ing)|mak(?:e|ing)|build(?:ing)?|draft(?:ing)?|author(?:ing)?|add(?:ing)?)\b.{0,25}\b(?:skill|workflow|runbook|playbook)s?\b|(?:写|做|建|创建|编|起草|新增|加)(?:一?个|份|条)?.{0,8}(?:skill|workflow|runbook|playbook|技能|工作流|手册|预案|剧本|流程)/i.test(
    said,
  );

/** Whether leave is asked to do something: the answer is about the doing. */
export const asksLeave = (said: string): boolean =>
  /\b(?:should|can|could|may|shall|do) (?:i|we)\b|\b(?:is it|would it be) (?:safe|ok|okay|fine|wise)\b|\b(?:safe|ok|okay) to\b|可以|能不能|要不要|该不该|可不可以|能否|安全/i.test(
    said,
  );

/** `I'd like to write …`: a wish to do something oneself, and no taste. */
export const wantsTo = (said: string): boolean =>
  /^(?:i|we)(?:'d| would|)? (?:like|love|want|need|have) to\b|^(?:i'm|i am|we're|we are) (?:trying|going) to\b|^我(?:们)?(?:想|要|打算|准备|需要)/i.test(
    said.trim(),
  );

const UNIT_EN =
  '(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|morning|evening|night|noon|midnight|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekday|weekend|quarter|h|m|d)';
const RECURS = new RegExp(
  [
    `\\b(?:every|each|once an?|twice an?|once per|per)\\s+(?:other\\s+)?(?:\\d+\\s*|an?\\s+|few\\s+|half\\s+)?${UNIT_EN}\\b`,
    '\\b(?:hourly|daily|nightly|weekly|monthly|periodically|regularly|cron(?:tab|job)?s?|schedul\\w*|recurring|remind(?:er)?s?)\\b',
    "\\b(?:at|by|on) (?:\\d{1,2}(?::\\d{2})?\\s*(?:am|pm|o'clock)|\\d{1,2}:\\d{2}|noon|midnight)\\b",
    '\\b(?:tomorrow|tonight|later today|next (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|week|month))\\b|\\bin \\d+ (?:minutes?|mins?|hours?|days?)\\b',
    '\\b(?:notify|ping|tell|alert|page|message|email|warn) (?:me|us)\\b.{0,40}\\b(?:if|when|whenever|once|as soon as)\\b|\\b(?:if|when|whenever)\\b.{0,60}\\b(?:notify|ping|tell|alert|page|message|email|warn) (?:me|us)\\b|\\bkeep an eye\\b|\\bwatch\\b',
    '每(?:隔|天|日|周|月|年|小时|分钟|晚|早|次|个?(?:小时|星期|礼拜|月)|\\d|[一二两三四五六七八九十半])|定时|定期|周期|按时|提醒|闹钟|盯着?|持续监控|有(?:情况|问题|异常).{0,6}(?:告诉|通知|叫)|(?:的话|时|就|了).{0,4}(?:通知|告诉|提醒|叫)我|明天|今晚|明早|后天|下周|(?:早上|上午|中午|下午|晚上|凌晨)[\\d一二三四五六七八九十]{1,3}点|\\d+\\s*(?:分钟|小时|天)后',
  ].join('|'),
  'i',
);

/** Somebody wants to be told whenever Hermes itself has something: an incident, an alert, an approval. */
export const wantsToBeTold = (said: string): boolean =>
  /\b(?:ping|notify|tell|alert|page|message|email|mail|text|call|warn|dm)\s+(?:me|us|the team|on-?call|\S+ channel)\b|\bpost\b.{0,30}\bto\b|通知|提醒|告诉|呼叫|叫醒|发(?:消息|短信|邮件|到|给)|推送|@我/i.test(
    said,
  ) &&
  /\b(?:when(?:ever)?|if|once|as soon as|every time|each time)\b|一旦|每当|每次|只要|有.{0,12}(?:就|时)|的?时候|的话/i.test(
    said,
  ) &&
  /\b(?:incidents?|alerts?|approvals?|p[1-4])\b|事故|事件|告警|报警|审批|批准|(?<![a-z])p[1-4](?![a-z0-9])/i.test(
    said,
  );

/** The sentences that ask, where a longer message also tells why: `Hello! I am new here. … Is that true?`. */
export function heartOf(said: string): string | undefined {
  const sentences = said.split(/(?<=[.!?])\s+|(?<=[。！？])\s*/).filter((sentence) => sentence.trim() !== '');
  const asking = sentences.filter((sentence) => /[?？]\s*$/.test(sentence));
  return sentences.length > 2 && asking.length > 0 && asking.length < sentences.length
    ? asking.join(' ')
    : undefined;
}

/** Whether it is to be done at another time than now, or again and again. */
export const recurs = (said: string): boolean => RECURS.test(said);

const DESTROYS =
  /\brm\s+-\w*[rf]|\b(?:wipe|delete|drop|flush|purge|erase|nuke|destroy|truncate|shred|trash|blow away|get rid of|kill all|reformat|force[- ]push|reset --hard|format (?:the )?(?:disk|drive|volume|partition)|(?:disable|turn off|switch off|bypass|skip|remove|stop) (?:the |all |your |every )*(?:approvals?|audit\w*|gate|polic(?:y|ies)|protection|selinux|firewall|sandbox|safety|checks?|authenti\w+|login))\b|强推|强制推送|删(?:除|掉|光|了|库|完|干净)?|清(?:空|掉|光|除|了|干净)(?!缓存)|全清|抹(?:掉|除)|格式化|干掉|销毁|卸掉|(?:关(?:掉|闭|了)|停(?:掉|用)|绕(?:过|开)|跳过|去掉|取消|禁用)(?:一切|所有|全部|掉|了|这个|那个|的)*(?:审批|审计|闸门|策略|保护|防火墙|沙箱|沙盒|安全|校验|检查|认证|鉴权|登录)/i;
const GREAT =
  /\b(?:all|everything|every|whole|entire|prod\w*|database|db|data|table|tables|bucket|volume|namespace|branch|branches|main|master|repo(?:sitory)?|history|cluster|logs?|approvals?|audit\w*|polic(?:y|ies)|gate|sandbox|selinux|firewall|iptables|rules|backups?|home|disk|partition|folder|directory|secrets?|users?)\b|\/[\w.-]+|全|所有|整个|生产|数据|库|表|卷|集群|命名空间|日志|审批|审计|策略|闸门|沙箱|备份|目录|磁盘|分区|密钥|用户|防火墙|保护|规则|分支|仓库|历史/i;

/** Whether something large, or what protects it, is to be destroyed or switched off; nobody asks how, it is wanted. */
export const destroys = (said: string): boolean =>
  DESTROYS.test(said) && GREAT.test(said) && (!asks(said) || /^(?:can|could|will|would) you\b/i.test(said));

/** Words for agreeing to what waits. */
export const APPROVES = /\bapprov\w*|\bsign(?:s|ing)?[- ]?offs?\b|审批|批准|同意|批了|签字/i;

const PAST =
  /\b(?:have|has|had|did|was|were)\b.{0,40}\bever\b|\b(?:before|last time|previously|in the past|already (?:seen|had)|seen this|happen(?:ed)? (?:again|before))\b|\b(?:did|have|had) (?:we|i|you|anyone|somebody) (?:\w+ )?(?:not(?:e|ed)|writ(?:e|ten)|jot(?:ted)?|kept|keep|record(?:ed)?)\b|以前|之前|上次|上回|曾经|(?<![带拷搬移挪传发切转送拿])过去|历史上|(?:遇到|遇见|见|出|发生|碰到|处理|记|提|说)过/i;

/** `before I deploy`, `回滚之前`: before something is done, and no look back. */
export const saysBefore = (said: string): boolean =>
  /\bbefore (?:i|we|you|they|he|she|it|[a-z]+ing)\b|(?:执行|回滚|重启|发布|上线|部署|操作|动手|审批|批准|变更|升级|删除|关闭|扩容|缩容|切换|动作)(?:之前|以前|前)/i.test(
    said,
  );

/** Whether it is asked what was before. */
export const asksPast = (said: string): boolean =>
  asks(said) && !saysBefore(said) && PAST.test(heartOf(said) ?? said);

const AT_A_TIME =
  /\b(?:now|today|tonight|currently|at the moment|atm|recently|lately|just|this (?:morning|hour|week)|still|yet)\b|现在|今天|今晚|目前|当前|刚才|刚刚|最近|还在|这会儿|此刻/i;

/** Whether it is asked what is the case at a time: neither how something is done, nor what it means. */
export const asksState = (said: string): boolean =>
  asks(said) && !asksHow(said) && !asksWhy(said) && !asksMeaning(said) && AT_A_TIME.test(said);

/** Whether it points at the machine that it is said on. */
export const isHere = (said: string): boolean =>
  /\b(?:this|the|my) (?:machine|box|host|server|vm|computer|laptop)\b|\bon here\b|这台|本机|这个?(?:机器|主机|服务器)|(?:机器|主机|服务器)上/i.test(
    said,
  );

/** Parts of a message. */
export const CLAUSES = /[,，。;；!！?？:：\n]+|\.\s+|\s+[-–—]+\s+|\s+(?:and|but|because|so)\s+/i;

/** Somebody needs help, and does not say with what. */
export const cries = (said: string): boolean =>
  /\bhelp\b|\bon fire\b|\bno idea what\b|\b(?:dont|don't|do not) know what to do\b|不知道(?:怎么办|该怎么|从哪)|\bwhere do i (?:even )?start\b|\bsos\b|\bpager\b|\bpaged\b|救命|救火|帮帮|怎么办|急死|崩了/i.test(
    said,
  );
