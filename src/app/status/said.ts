import type { Language } from '#kit/language';

/** A sentence for people, in every language that Hermes speaks: whoever shows it chooses. */
export type Said = Readonly<Record<Language, string>>;

export const say = (en: string, zh: string): Said => ({ en, zh });

/** What adapters say, sentence by sentence. Names stay as they are. */
const CHINESE: readonly (readonly [RegExp, string])[] = [
  [/^The key (\S+) is not set\.$/, '未设置密钥 $1。'],
  [/^Neither the key (\S+) nor a token_file is set\.$/, '密钥 $1 与 token_file 均未设置。'],
  [/^Put (\S+) into the \.env file of the profile\.$/, '将 $1 写入该配置档的 .env 文件。'],
  [/^Put a token of Argo CD into (\S+)\.$/, '将 Argo CD 的令牌写入 $1。'],
  [/^Put the token of the release platform into (\S+)\.$/, '将发布平台的令牌写入 $1。'],
  [
    /^Put the token of a service account into (\S+), or name a token_file or a kubeconfig\.$/,
    '将服务账号的令牌写入 $1，或指定 token_file 或 kubeconfig。',
  ],
  [
    /^(.+) (?:is|are) not set: take the secret that PagerDuty shows when the webhook subscription is made, and put it into \.env\.$/,
    '未设置 $1：取 PagerDuty 在创建 Webhook 订阅时显示的密钥，写入 .env。',
  ],
  [
    /^(.+) (?:is|are) not set: take them from "Events & callbacks → Encryption strategy" of the app, and put them into \.env\.$/,
    '未设置 $1：在应用的“事件与回调 → 加密策略”中获取，写入 .env。',
  ],
  [
    /^(.+) (?:is|are) not set: take them from "Receive messages" of the app and from the profile of the company, and put them into \.env\.$/,
    '未设置 $1：在应用的“接收消息”与企业信息中获取，写入 .env。',
  ],
  [/^(\S+) does not have the 43 characters of an EncodingAESKey\.$/, '$1 不是 43 个字符的 EncodingAESKey。'],
  [
    /^No webhook stands under `webhooks\.generic` in gateway\.yaml\.$/,
    'gateway.yaml 的 `webhooks.generic` 下没有任何 Webhook。',
  ],
  [
    /^No secret of a webhook is set, or it is none: put (.+) into \.env\.$/,
    '没有设置任何 Webhook 的密钥，或其值无效：将 $1 写入 .env。',
  ],
  [
    /^gateway\.yaml, webhooks\.pagerduty: it takes `services` alone, .*$/,
    'gateway.yaml 的 webhooks.pagerduty 只接受 `services`，即 PagerDuty 名称到服务名称的映射。',
  ],
  // What came of asking whether something is there.
  [/^(.+) cannot be reached at (\S+?)(?: \((\w+)\))?\.$/, '无法连接 $1($2)$3'],
  [/^(.+) cannot be reached at (\S+) within (\S+) s\.$/, '$1($2)在 $3 秒内没有应答'],
  [/^(.+) cannot be reached: (.+)\.$/, '无法连接 $1:$2'],
  [/^It did not answer within (\S+) s\.$/, '$1 秒内没有应答'],
  [/^(.+) refuses \((\d+)\)[.:] ?(.*)$/s, '$1 拒绝访问($2)$3'],
  [/^(.+) answered (\d{3})[.:] ?(.*)$/s, '$1 返回 $2 $3'],
  [/^(.+) answered (\S+) with (\d{3})[.:] ?(.*)$/s, '$1 对 $2 返回 $3 $4'],
  [/^(.+) answered (\S+) with (?:a page|something) that is no JSON\.$/, '$1 对 $2 的应答不是 JSON'],
  [/^(.+) answered with something that is no JSON\.$/, '$1 的应答不是 JSON'],
  [/^Cannot read (?:the deploy registry )?(\S+)\.$/, '无法读取 $1'],
  [/^(\S+) is not JSON\.$/, '$1 不是 JSON'],
  [/^(\S+) is not a deploy registry\.$/, '$1 不是部署登记文件'],
  [/^(\S+) is damaged: (.+)$/s, '$1 已损坏:$2'],
  [
    /^Check base_url, the network between here and there, and timeout_seconds\.$/,
    '检查 base_url、网络与 timeout_seconds。',
  ],
  [
    /^Check the token or password of this backend in the \.env file, and its tenant\.$/,
    '检查 .env 中该后端的令牌或密码,以及租户。',
  ],
  [/^Check that base_url is the address of its API\.$/, '检查 base_url 是否为其 API 地址。'],
  [/^It, or a proxy in front of it, is not ready\.$/, '它或其前面的代理尚未就绪。'],
  [/^Check llm\.base_url, and whether it runs\.$/, '检查 llm.base_url 以及服务是否在运行。'],
  [/^Check the (?:setting|key) (.+?)\.?$/, '检查 $1。'],
  [/^Check (\S+?)\.$/, '检查 $1。'],
  [/^nothing received yet$/, '尚未收到数据'],
  [/^last data of (\S+)$/, '最近数据:$1'],
  [/^made at its first use$/, '首次使用时创建'],
  [/^(\d+) tools$/, '$1 个工具'],
  [/^(\d+) changes$/, '$1 条变更'],
  [/^(\d+) services$/, '$1 个服务'],
  [/^(\d+) of (\d+) requests of this hour are left$/, '本小时剩余请求 $1/$2'],
  [/^it does not list (\S+)$/, '其列表中没有 $1'],
  [/^No model is connected: the built-in operator answers\.$/, '没有连接模型:由内置操作员回答。'],
  [/^There is nothing to ask it\.$/, '没有可探测的内容'],
  [/^It is started when it is needed\.$/, '需要时才启动'],
  [/^It is switched off\.$/, '已关闭'],
  [/^A variable is not set: (.+)\.$/, '未设置变量:$1'],
  [/^Put it into \.env\.$/, '写入 .env。'],
  [/^(.+) answers at (\S+), and does not list its models\.$/, '$1($2)有应答,但不列出模型'],
  [/^(.+) has no list of models that could be asked for nothing\.$/, '$1 没有可免费查询的模型列表'],
  [/^(.+) needs a key, and none is set$/, '$1 需要密钥,尚未设置'],
  [
    /^(\S+) is (\S+), and backends\.yaml lists no executor of this type\.$/,
    '$1 为 $2,但 backends.yaml 中没有该类型的执行器。',
  ],
  [/^List it under `executors:` of backends\.yaml: (.+)$/, '写入 backends.yaml 的 `executors:` 之下:$1'],
  [/^(\S+) is (\S+), and (\S+) is not set\.$/, '$1 为 $2,但未设置 $3。'],
  [/^(\S+) is '(.*)', and there is no such thing here\.$/, "$1 为 '$2',此处没有这一项。"],
  [/^Did you mean (.+)\?$/, '是否想写 $1?'],
  [/^It is one of: (.+)\.$/, '可选:$1。'],
  // What is configured and read by nothing.
  [/^is not read yet: it has no effect$/, '尚未读取:不起作用'],
  [
    /^is no variable of Hermes: it has no effect(?:; did you mean (\S+)\?)?$/,
    '不是 Hermes 的变量:不起作用 $1',
  ],
];

/** A sentence of an adapter in every language. One that is not known stays as it was said. */
export function saidBy(sentence: string): Said {
  const known = CHINESE.find(([pattern]) => pattern.test(sentence));
  return say(sentence, known ? sentence.replace(known[0], known[1]).replaceAll(' and ', '、') : sentence);
}
