import type { Language } from '#kit/language';

type Phrases = Readonly<Record<Language, readonly RegExp[]>>;

/** `rest` is what is to be remembered. */
export const REMEMBER: Phrases = {
  en: [
    /^(?:(?:can|could|would|will) you |i(?:'d| would) like you to |i want you to |we should |you should )?(?:always )?(?:remember|memori[sz]e|keep in mind|bear in mind|don'?t forget|do not forget|never forget|note down|make a note|take a note|jot (?:this |that |it )?down(?: for me)?|write (?:this |that |it )down(?: for me)?|note|(?:make|leave|take|add|drop) (?:yourself |you |me |us )?a (?:quick |short |little )?(?:note|memo|reminder to self))(?!\s+(?:me|when|how|what|why|where|who|the (?:time|day)|to self|taking|book|if)\b)(?:\s+(?:that|this|for (?:later|next time|the future)))?\s*[,::-]?\s+(?<rest>\S.*)$/is,
    /^(?:save|store|add|put|write)\s+(?:this|that|the following)?\s*(?:down\s*)?(?:in|into|to)\s+(?:your |the |my )?(?:long-term )?(?:memory|notes|notebook)\s*(?:that)?\s*[,::-]?\s*(?<rest>\S.*)$/is,
    /^(?:save|store|add|put|write)\s+(?<rest>\S.{3,}?)\s+(?:in|into|to)\s+(?:your |the |my )?(?:long-term )?(?:memory|notes|notebook)[.!]?$/is,
    /^(?:put|keep|write|take|log|record|save|store|mark|file)\s+(?:down\s+|a record of\s+)?(?:this|that|it|the following)\b[^::\n]{0,30}[::]\s*(?<rest>\S.*)$/is,
    /^(?:fyi|for (?:future reference|the record|next time|later)|note to (?:self|future self|us)|memo|nb|n\.b\.|(?:quick |side )?note)\s*[,::-]\s*(?<rest>\S.*)$/is,
  ],
  zh: [
    /^(?:请|你|帮我|帮忙|麻烦|给我|要|一定要|务必|以后)*(?:记住|记下来?|记一下|记一笔|记个笔记|记录一?下|备忘一?下|备注一?下|记着|牢记|别忘了|不要忘记|不要忘了|记到(?:记忆|笔记)里)(?!了?[吗么没])[,,::\s]*(?<rest>\S.*)$/s,
    /^(?:请)?(?:把|将)(?:这个|这条|这点|这件事|下面的)?(?<rest>.{2,}?)(?:记住|记下来?|记录下来|存(?:到|进|入)(?:长期)?(?:记忆|笔记)|写(?:到|进|入)(?:长期)?(?:记忆|笔记)|保存到(?:长期)?(?:记忆|笔记))(?:里|中)?[。.!!]?$/s,
    /^(?:备忘(?:录)?|备注|笔记|留个?(?:底|档)|立此存照)\s*[,,::]\s*(?<rest>\S.*)$/s,
  ],
};

/** A question about what was said or done before. */
export const RECALL: Phrases = {
  en: [
    /\b(?:do|did) (?:you|we) (?:still )?(?:remember|recall)\b|\b(?:can|could) (?:you|we) (?:still )?(?:remember|recall) (?!that\b|this\b)/i,
    /\b(?:what|how|why|when|where|who|which)\b.{0,60}\b(?:did|was|were|had)\b.{0,80}\b(?:last (?:time|week|month|year|night|incident|outage)|before|earlier|previously|in the past|yesterday|back then)\b/is,
    /\b(?:what|how|which)\b.{0,40}\b(?:did (?:we|i|you)|have (?:we|i|you))\b.{0,60}\b(?:last time|do about|decide|agree|conclude|say about|tell|try|use|done|learned|handle|fix)\b/is,
    /\bhave (?:we|you|i) (?:ever |already )?(?:seen|had|met|dealt with|discussed|talked about|done|handled|fixed|tried)\b/i,
    /^(?:recall|look up|search|check|find)\b.{0,60}\b(?:memory|memories|notes|history|past|earlier|previous|before|last time)\b/is,
    /\bwhat do you (?:know|remember) about\b|\bremind me (?:what|how|why|which|who|where|when|of|about)\b/i,
    /\b(?:how|what) (?:do|did) we (?:usually|normally|always)\b/i,
    /\bwhat (?:was|were) (?:the|our) (?:root cause|fix|resolution|decision|conclusion|outcome)\b/i,
  ],
  zh: [
    /(?:还|是否|可)?记(?:得|不记得).{0,40}(?:吗|么|没|不)|你还?记得/,
    /(?:查一?下|查查|搜一?下|找一?下|看一?下|翻一?下|回忆一?下|回顾一?下).{0,40}(?:以前|之前|上次|过去|历史|曾经|从前|往期|那次)/s,
    /(?:以前|之前|上次|上回|过去|曾经|上周|上个月|去年|昨天|那次|历史上).{0,60}(?:怎么|如何|什么|为什么|为何|哪|谁|多少|是不是|有没有|吗|呢|咋)/s,
    /(?:怎么|如何|什么|哪些|谁).{0,40}(?:以前|之前|上次|过去|曾经)/s,
    /我们(?:通常|一般|平时|习惯)(?:是)?(?:怎么|如何|先)/,
    /(?:记忆|笔记)(?:里|中).{0,20}(?:有|关于|什么|哪)|有没有(?:处理|遇到|见)过/,
    /关于.{1,40}你(?:知道|了解|记得)(?:什么|多少|哪些)/s,
  ],
};

/** A question about the conversation before this one as a whole. */
export const LAST_TIME: Phrases = {
  en: [
    /\b(?:what|which things?) (?:did|have|were|was) (?:we|you|i)\b.{0,40}\b(?:last (?:time|session|conversation|chat)|yesterday|earlier today|previously|before|in (?:the|our) (?:last|previous) (?:session|conversation|chat))\b/is,
    /\bwhere (?:did|were) (?:we|i|you) (?:leave|left|stop|stopped|get to|break) ?(?:off|it|at)?\b|\b(?:pick up|continue|carry on|go on|resume)\b.{0,20}\b(?:where we (?:left|stopped)|from last time)\b/is,
    /\b(?:summar(?:y|ise|ize)|recap)\b.{0,30}\b(?:last|previous|yesterday'?s) (?:session|conversation|chat|time)\b|\b(?:last|previous) (?:session|conversation|chat)\b.{0,20}\b(?:summary|recap|about)\b/is,
  ],
  zh: [
    /(?:上次|上回|上一次|昨天|之前|前面|上个会话|上一个会话|上一次对话|上次对话).{0,8}(?:我们|咱们|咱|我|你)?.{0,8}(?:做了|干了|聊了|谈了|讨论了|处理了|说了|做|干|聊|弄了|忙)(?:些)?(?:什么|啥|哪些)/s,
    /(?:我们|咱们|咱|我|你)(?:上次|上回|上一次|昨天|之前).{0,8}(?:做了|干了|聊了|谈了|讨论了|处理了|说了|弄了)(?:些)?(?:什么|啥|哪些)/s,
    /(?:上次|上回|昨天|之前).{0,8}(?:做到|聊到|说到|进行到|停在|到)(?:了)?(?:哪|什么地方)|(?:接着|继续)(?:上次|上回|昨天|之前)(?:的|做|聊)?/s,
    /(?:总结|回顾|概括)(?:一下)?(?:上次|上回|昨天|上一次)(?:的)?(?:对话|会话|聊天|工作|内容)?/s,
  ],
};

/** How the user wants to be answered, or likes things. */
export const PREFERENCE: Phrases = {
  en: [
    /^(?:i|we)(?: would|'d)? (?:really |strongly |usually |generally |always )*(?:prefer|like|love|hate|dislike|want|favou?r)\b(?! to know| you to (?:check|look|run|restart|deploy|remember)| a (?:report|summary) of| the (?:logs|report))(?=.{0,80}\b(?:answers?|repl(?:y|ies)|respon[sd]|explanations?|code|tables?|bullets?|lists?|short|brief|concise|detail|verbose|chinese|english|format|style|tone|over|instead|rather|to|when|examples?|emoji|markdown|tabs|spaces|dark|commands?|it|things|summaries|dashboards?|tools?|terraform|kubernetes|docker|typescript|python|go|rust)\b)/is,
    /^(?:please )?(?:always|never|from now on,?|in (?:the )?future,?) (?:answer|reply|respond|write|use|give|show|start|end|put|call|address|explain|include|keep|format|speak|talk)\b/i,
    /^(?:please )?(?:answer|reply|respond|speak|talk|write)(?: to me)?(?: always)? in (?:chinese|english|german|french|japanese|spanish|korean)\b/i,
    /^(?:please )?(?:keep|make) (?:your |the )?(?:answers?|replies|responses|explanations)\b/i,
    /^(?:please )?(?:don'?t|do not|stop) (?:use|using|add|adding|write|writing|include|including|repeat|repeating|explain|explaining|apologi[sz]e|apologi[sz]ing)\b.{0,60}\b(?:emojis?|tables?|headings?|bullets?|lists?|jargon|apolog\w*|disclaimers?|in (?:your )?(?:answers?|replies)|everything|the question|to me)\b/is,
    /^(?:please )?(?:stop|quit|no more) (?:telling|showing|mentioning|repeating|saying|sending|giving|reporting)\b(?: me| us)?\b/i,
    /^my (?:preferred|favou?rite|usual|default)\b.{0,60}\bis\b/is,
    /^call me \S+/i,
  ],
  zh: [
    /^我(?:个人)?(?:比较|更|很|最|一般|通常|平时|还是)*(?:喜欢|偏好|偏爱|习惯|倾向(?:于)?|讨厌|不喜欢|不想(?:看|要)|爱用|爱看)(?!.{0,30}(?:帮我|重启|部署|查一下))/s,
    /^(?:以后|今后|从今以后|往后|下次起?|请?(?:一直|总是|始终))[,,\s]*(?:都|请|也|就|一律|都请|请都)*(?:用|别|不要|先|给我|回答|回复|输出|叫我|称呼|只|尽量|简短|写)/,
    /^(?:请)?(?:用|以)(?:中文|英文|英语|汉语|日文|日语)(?:来)?(?:回答|回复|交流|沟通|和我)/,
    /^(?:回答|回复|输出|说话)(?:请|要|时|尽量|都)*(?:简短|简洁|详细|用|先|不要|别|短|只|精炼)/,
    /^(?:请)?(?:不要|别)再?(?:老|总|一直)?(?:跟我|给我|向我|对我)(?:提|说|显示|列|报|讲)/,
    /^(?:请)?(?:叫我|称呼我)\S+/,
    /^(?:请)?(?:不要|别)(?:在回答里|在回复里|再)?(?:用|加|写|发)(?:表情|emoji|表格|客套话|标题|列表|英文|废话)/i,
  ],
};

/** Keep what was just done as a skill; `rest` is its name where one is given. */
export const PUBLISH: Phrases = {
  en: [
    /^(?:(?:can|could) you )?(?:save|store|keep|turn|make|publish|write|export|create|convert)\b(?!\s+(?:a )?report).{0,80}?\b(?:as|into|to|a|an|up as)\s+(?:a |an |the |this |new )*(?:reusable |runbook |workflow )*(?:skill|runbook|playbook)\b(?:\s+(?:called|named|for)\s+(?<rest>[^?.!\n]{1,80}))?/is,
    /^publish (?:this|that|it)\b/i,
    /^(?:make|create|write) (?:a |an )?(?:new )?(?:skill|runbook) (?:out of|from) (?:this|that|it|what)/i,
  ],
  zh: [
    /(?:保存|存|做|写|整理|沉淀|固化|发布|导出|变|转|总结|归纳)(?:成|为|到|进)(?:一个|个|一条|新的?)?(?:可复用的?)?(?:\s*(?:runbook|workflow|工作流)\s*)?(?:技能|skill|runbook|剧本|预案|手册)/i,
    /^(?:发布|保存|生成|创建)(?:这个|这条|刚才的?|上面的?)(?:流程|步骤|操作|做法|过程)?(?:为|成)?(?:技能|skill|runbook)/i,
  ],
};

/** Something is broken. */
export const INCIDENT: readonly RegExp[] = [
  /\b(?:p[0-3]|sev-?[0-3])\b/i,
  /\b(?:5\d\d|429)s?\b.{0,40}(?:error|rate|spike|alert|告警|报警|错误|飙升|增多)|(?:error|alert|告警|报警|错误|报|返回|大量).{0,30}\b(?:5\d\d|429)\b/is,
  /\b(?:outage|incident|alert(?:s|ed|ing)?|page[ds]?|paging|is down|are down|went down|unavailable|crash(?:ed|es|ing|loop\w*)?|oom(?:killed)?|timeouts?|timing out|times out|error rate|failing|broken|degraded|unreachable|not responding|latency (?:spike|is high)|high latency|saturat\w+|deadlock(?:s|ed)?)\b/i,
  /告警|报警|故障|宕机|挂了|不可用|超时|崩溃|打不开|报错|异常|飙升|飙高|失败率|错误率|雪崩|打满|卡死|连不上|访问不了|5xx/i,
];

/** It is said that it happens now, or help is asked for. */
export const INCIDENT_ASKED: readonly RegExp[] = [
  /\b(?:investigat\w+|diagnos\w+|debug|troubleshoot|triage|look into|find (?:out )?(?:the )?(?:root )?cause|root cause|help|what(?:'s| is) (?:wrong|going on|happening)|why (?:is|are)|fix|mitigat\w+|roll ?back|respond|handle|analy[sz]e|firing|fired|right now|just (?:now|started|got)|since \d|started|currently|is down|are down|went down|paged?)\b/i,
  /帮(?:我|忙)|排障|排查|定位|诊断|分析|处理|看看|查(?:一)?下|怎么回事|什么原因|为什么|为何|现在|刚刚|刚才|开始|持续|正在|一直|止损|恢复|挂了|宕机/,
  /\b(?:alert|告警|报警)\b\s*[::]|^\[?(?:firing|alert|p[0-3])\b|\b(?:p[0-3]|sev-?[0-3])\b.{0,40}(?:告警|报警|故障|alert|incident|outage)/is,
];
