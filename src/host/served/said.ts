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
];

/** A sentence of an adapter in every language. One that is not known stays as it was said. */
export function saidBy(sentence: string): Said {
  const known = CHINESE.find(([pattern]) => pattern.test(sentence));
  return say(sentence, known ? sentence.replace(known[0], known[1]).replaceAll(' and ', '、') : sentence);
}
