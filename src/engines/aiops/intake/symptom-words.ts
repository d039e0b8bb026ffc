/** What goes wrong with a service, as sentences word it. */
export const SYMPTOM_KINDS = ['errors', 'latency', 'saturation', 'traffic', 'down', 'alert'] as const;
export type SymptomKind = (typeof SYMPTOM_KINDS)[number];

/** One pattern for each kind and language. A word counts once; what it is said about is found elsewhere. */
export const SYMPTOM_WORDS: Readonly<Record<SymptomKind, readonly RegExp[]>> = {
  errors: [
    /\berror[- ]rates?\b|\b(?:errors?|exceptions?|failures?|fail(?:s|ing|ed)?|reject(?:s|ing|ed)|refus(?:es|ing|ed)|stack ?traces?|bad gateways?|(?:has |have |is |are |was |already |certificates? )expired|expired (?:tls |ssl )?cert\w*|servfail|nxdomain|(?:permission|access) denied|connection reset|x509|unknown authority|segfault\w*|panic(?:s|ked|king)|unable to (?:connect|resolve|verify|reach|open|start))\b|\bexpired\s*[.!]?$/i,
    /报错|错误率?|失败率?|异常|拒绝连接|过期了|已(?:经)?过期|证书(?:过期|失效)/,
  ],
  latency: [
    /\b(?:latenc(?:y|ies)|slow(?:er|ly|ness)?|laggy|p(?:50|9\d(?:\.9+)?)|response times?|time-?outs?|tim(?:es|ed|ing) out|hang(?:s|ing)?|stuck|sluggish)\b/i,
    /延迟|延时|变慢|很慢|太慢|好慢|慢了|慢得|[越有点]慢|超时|卡顿|卡住|卡死|响应时间|响应慢/,
  ],
  saturation: [
    /\b(?:oom(?:[- ]?kill(?:ed|s|er)?)?|out of memory|memory leaks?|(?:cpu|memory|disk|heap|pool|connections?|threads?|queue)s? (?:is |are |usage |use )*(?:high|full|maxed|pegged|exhausted|at 100|saturated|used up|leaking|growing)|high (?:cpu|memory|load)|saturat\w+|exhaust\w+|backlog|hot ?keys?|big ?keys?|consumer lag|lag(?:s|ging)? behind|too many connections|deadlock(?:s|ed)?|evict(?:ed|ions?)|throttl\w+)\b/i,
    /打满|占满|跑满|耗尽|用尽|积压|堆积|热点? ?key|大 ?key|内存(?:泄漏|泄露|溢出|不足|飙升|飙高|很高|过高|上涨)|CPU ?(?:飙升|飙高|很高|过高|打满|100)|连接池|连接数|死锁|被驱逐|被 ?OOM|OOM ?[Kk]ill/i,
  ],
  traffic: [
    /\b(?:traffic|qps|rps|request rate|load) (?:\w+ )?(?:surg\w+|spik\w+|doubl\w+|tripl\w+|jump\w+|drop\w+|flood\w*)|\b(?:traffic|load) (?:surge|spike|drop)s?\b|\brate[- ]?limit(?:ed|ing|s)?\b/i,
    /流量(?:突增|激增|暴增|翻倍|下跌|下降|掉底|异常)|限流|洪峰|被刷|刷量/,
  ],
  down: [
    /\b(?:(?:is|are|was|were|went|goes|gone|it's) (?:\w+ )?(?:down|dead|offline|gone)|unavailable|unreachable|not respond\w*|(?:doesn't|does not|won't|will not|can't|cannot) (?:respond|start|connect|load|answer)|crash(?:ed|es|ing)?|crash-?loop\w*|restarting|keeps restarting|outage|broken|degraded|flapping|unhealthy|(?:turned|went|gone|is|status) red|not (?:ready|working|healthy|schedul\w+)|(?:in|is|are|remain|stay) (?:\w+ )?pending|pending pods?|unschedulable|failedscheduling)\b/i,
    /挂了|挂掉|宕机|不可用|崩溃|崩了|打不开|连不上|访问不了|无法访问|没响应|无响应|不响应|反复重启|不断重启|起不来|启动不了|雪崩|不健康|变红|飘红|白屏|闪退|Pending|调度失败|无法调度|调度不(?:上|了)/i,
  ],
  // Something is wrong, and nothing says what.
  alert: [
    /\b(?:alert(?:s|ed|ing)?|firing|paged|incident|outage|flaky|unstable|intermittent\w*|misbehav\w+|acting up)\b/i,
    /告警|报警|故障|事故|P[1-4]\s*事件|时好时坏|一会儿?好一会儿?坏|不稳定|转圈|坏了/i,
  ],
};

/** Codes that HTTP and gRPC gateways fail with; other numbers of three digits are no symptom. */
export const STATUS_CODE =
  /(?<![\w.:/-])(?:HTTP[ /-]*)?(?<code>[45]xx|408|429|499|50[0-4]|52\d)s?(?![\w%]|[.:]\d)/gi;

/** That it grows, or began: what is said of something that happens now. */
export const TREND =
  /\b(?:spik\w+|surg\w+|soar\w+|jump\w+|doubl\w+|tripl\w+|ris(?:es|ing|en)|rose|climb\w+|increas\w+|went up|going up|shot up|growing|drop(?:s|ped|ping)?|fell|fall(?:s|ing|en)|plung\w+|plummet\w*|sank|halved|(?:went|going|came) down|since|started|suddenly|keeps?|right now|just now|again)\b|飙升|飙高|突增|激增|暴增|暴涨|上涨|升高|增多|变多|大量|翻倍|(?:掉|跌|降|涨|升|飙)(?:到|至|了|成)|骤降|下跌|下降|突然|持续|一直|不断|反复|开始|现在|刚刚|刚才|正在|好像|又/i;

/** Somebody is asked to look. */
export const LOOK =
  /\b(?:investigat\w+|diagnos\w+|debug|troubleshoot|triage|look into|look at|check|find (?:out )?(?:the )?(?:root )?cause|root cause|analy[sz]e|find out|collect evidence|handle it|help)\b|排障|排查|定位|诊断|分析|处理一?下|看看|看一?下|查(?:一下|下|查|证据|找|清楚)|判断|根因|帮(?:我|忙)/i;

/** A release is named as what came before. */
export const RELEASE =
  /\b(?:after|since|following)\b[^.;,,。]{0,30}\b(?:deploy\w*|releas\w+|rollout|canary|upgrade|v?\d+\.\d+(?:\.\d+)?)|\b(?:deploy\w*|releas\w+|canary)\b[^.;,,。]{0,20}\b(?:caus\w+|broke|ago|today|just)|(?:发布|上线|发版|部署|升级|变更|灰度|金丝雀|回滚)(?:之?后|以来|导致|引起|引发|造成)|(?:刚刚?|今天|昨天|上午|下午)(?:发了|发布了?|上线了?|发版)/i;
export const VERSION = /(?<![\w.])v\d+(?:\.\d+){1,3}(?![\w.])|(?<![\w.])\d+\.\d+\.\d+(?![\w.])/;

/** A question, by its form. */
export const QUESTION =
  /[??]\s*$|^(?:why|what|how|when|where|which|who|is|are|was|were|does|did|do|has|have|can|could|should|any)\b|(?:吗|呢|么)[\s。.!!]*$|为什么|为何|为啥|怎么回事|是什么|有没有|是不是.{0,30}[??]?$|哪(?:个|些|里)/i;
/** What to do about it in general, not that it happens. */
export const ADVICE =
  /怎么办|怎么(?:处理|解决|排查|应对|修|查)|如何(?:处理|解决|排查|应对|修复|定位)|应急手册|预案|\bhow (?:do|can|should|would|to)\b|\bwhat (?:do|should|can) (?:i|we|you) do\b|\bwhat to do\b|\brunbook\b|\bplaybook\b/i;
/** What a word means. */
export const MEANING =
  /\bwhat (?:does|do|is|are) (?:an? |the )?[\w .-]{1,40}(?:mean|stand for)?\s*\??$|\bexplain\b|\bmeaning of\b|什么意思|含义|是什么[??。]?$|^什么是|解释一?下/i;
/** It happened once. */
export const PAST =
  /\b(?:last (?:time|week|month|year)|before|previously|in the past|ever|history of)\b|以前|之前|上次|上回|(?<![带拷搬移挪传发切转送拿])过去|曾经|历史/i;
