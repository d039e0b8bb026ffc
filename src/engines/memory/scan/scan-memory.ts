import { tell } from '#kit/text';
import { findCredential } from '#kit/find-credential';
import { dropHidden } from '#kit/hidden-characters';
import type { Language } from '#kit/language';
import { SECRET_MARK } from '#kit/find-secrets';
import { type KnownSecrets, redact } from '#kit/redact';
import { HIDDEN, scanContext } from '#kit/scan-context';
import { findCustomerData } from './customer-data.ts';
import { findRawData } from './raw-data.ts';
import { hasRoleHeaders } from './role-headers.ts';

/** Why a text may not be remembered. */
const REFUSALS = [
  'instruction',
  'hidden',
  'credential',
  'role_header',
  'logs',
  'stack',
  'trace',
  'dump',
  'card',
  'identity',
  'people',
] as const;
export type Refusal = (typeof REFUSALS)[number];

export interface MemoryScan {
  /** One line: why it is refused and how to mend it. Absent for a harmless text. */
  readonly refused?: string;
  readonly because?: Refusal;
}

type Wording = (detail: string) => string;

const WORDS: Readonly<Record<Refusal, Readonly<Record<Language, Wording>>>> = {
  instruction: {
    en: (what) => `it ${what}: remember the fact itself, in plain words, without orders to the reader`,
    zh: (what) => `内容${what}:请只写事实本身,不要写成对读者的命令`,
  },
  hidden: {
    en: () => 'it has hidden characters: type it again without them',
    zh: () => '内容含有不可见字符:请去掉后重新输入',
  },
  credential: {
    en: (what) =>
      `it holds a credential (${what}), and secrets are not kept: put it into .env or a vault, and write where it is, never its value`,
    zh: (what) => `内容含有凭据(${what}),机密不会被保存:请放进 .env 或密码库,只写它保存在哪里,不要写它的值`,
  },
  role_header: {
    en: () => 'it has role headers such as "system:": write one note in plain words',
    zh: () => '内容含有 "system:" 之类的角色标头:请用普通文字写成一条笔记',
  },
  logs: {
    en: () => 'it is raw log output: write in one sentence what it showed',
    zh: () => '内容是原始日志:请用一句话写出它说明了什么',
  },
  stack: {
    en: () => 'it is a stack trace: write the exception and what mended it in one sentence',
    zh: () => '内容是堆栈信息:请用一句话写出异常和解决办法',
  },
  trace: {
    en: () => 'it is a full trace: write which span was slow or failed, and the id of the trace',
    zh: () => '内容是完整的调用链:请写出哪个 span 慢或失败,以及 trace id',
  },
  dump: {
    en: () => 'it is a dump of data: write what matters in it in one sentence',
    zh: () => '内容是数据转储:请用一句话写出其中要紧的部分',
  },
  card: {
    en: () => 'it holds the number of a payment card: leave it out',
    zh: () => '内容含有银行卡号:请删去',
  },
  identity: {
    en: () => 'it holds the number of an identity document: leave it out',
    zh: () => '内容含有证件号码:请删去',
  },
  people: {
    en: () => 'it lists the addresses of many people: write where the list is kept',
    zh: () => '内容列出了许多人的地址:请写名单保存在哪里',
  },
};

const THREATS_ZH: Readonly<Record<string, string>> = {
  'asks to ignore instructions': '要求忽略指令',
  'takes over the role': '改写角色',
  'hides from the user': '要求瞒着用户',
  'lifts restrictions': '要求绕过限制',
  'sends secrets away': '把机密发往外部',
  'reads secrets': '读取机密文件',
  'stays behind': '在系统里留下后门',
  'imitates a fence of Hermes': '伪造 Hermes 的标记',
};

const WORDS_OF_OWN = { en: 'a key of this profile', zh: '本配置的密钥' };
const MOST_CHARS = 100_000;

/**
 * Looks at what somebody wants kept. Where a secret was taken out on its way here, what is left is of no use and hides from
 * whoever asked that it was not kept: it is refused as the secret itself would be.
 */
export function scanTold(given: string, language: Language = 'en', secrets: KnownSecrets = []): MemoryScan {
  const [mark] = given.match(SECRET_MARK) ?? [];
  if (mark === undefined) return scanMemory(given, language, secrets);
  return { because: 'credential', refused: WORDS.credential[language](mark.slice('[secret:'.length, -1)) };
}

/** Looks at a text before it is remembered, and again before it is shown to the model. `secrets` are literals to look for. */
export function scanMemory(given: string, language: Language = 'en', secrets: KnownSecrets = []): MemoryScan {
  const text = given.slice(0, MOST_CHARS);
  const { threats } = scanContext(text);
  const refuse = (because: Refusal, detail = ''): MemoryScan => ({
    because,
    refused: WORDS[because][language](detail),
  });
  const orders = threats.filter((threat) => threat !== HIDDEN);
  if (orders.length) {
    const named = orders.map((threat) => tell(threat, THREATS_ZH[threat] ?? threat)[language]);
    return refuse('instruction', named.join(tell(' and ', '、')[language]));
  }
  if (threats.length) return refuse('hidden');
  // Letters of full width are letters.
  const plain = dropHidden(text).normalize('NFKC');
  const own = redact(plain, secrets) === redact(plain) ? undefined : WORDS_OF_OWN[language];
  const credential = findCredential(text) ?? findCredential(plain) ?? own;
  if (credential) return refuse('credential', credential);
  if (hasRoleHeaders(plain)) return refuse('role_header');
  const found = findRawData(plain) ?? findCustomerData(plain);
  return found ? refuse(found) : {};
}
