import { dropHidden, hasHidden, showHidden } from './hidden-characters.ts';

/** Names of files with secrets in them; examples without any are harmless. */
const SECRET_FILE = String.raw`\.env(?![\w.-]*(?:example|sample|template|dist))\b|id_(?:rsa|ed25519)|credentials\b|\.netrc|\.kube\/config`;
/** A sentence that forbids what it names is a good rule. */
const NOT_FORBIDDEN = String.raw`(?<!\b(?:not|never|no|nobody|nothing|avoid|don't|cannot|none|no one)\b(?:[^.!?,;:\n]|(?<=\d):(?=\d)){0,90})(?<!(?:不要|不得|不能|不可|禁止|严禁|切勿|请勿|未经)[^。，\n]{0,8})`;

/**
 * What a text that is read by the model must not try, in English and Chinese. Every repetition is bounded, so that no
 * text can make the scan slow.
 */
const THREATS: readonly (readonly [string, readonly string[]])[] = [
  [
    'asks to ignore instructions',
    [
      String.raw`\b(?:ignore|disregard|forget|override)\s{1,9}(?:\w{1,30}\s{1,9}){0,3}?(?:(?:previous|prior|above|earlier|preceding|your|system)\s{1,9}(?:\w{1,30}\s{1,9}){0,2}?|all\s{1,9})(?:instructions?|rules?|prompts?|guidelines?|directions?|orders)\b`,
      '(?:忽略|无视|忘记|忘掉).{0,12}(?:之前|以上|上述|上面|先前|所有|系统).{0,8}(?:指令|指示|提示|规则|要求)',
    ],
  ],
  [
    'takes over the role',
    [
      String.raw`\byou are now\b(?! (?:ready|able|in|on|set|done|connected|logged)\b)|\bfrom now on,? you\b|\bact as if you have no\b|\bpretend (?:to be|you are)\b`,
      String.raw`^[ \t]{0,40}(?:system|assistant)[ \t]{0,9}:[ \t]{0,9}(?:you|i|sure|ok|ignore|new|from now on)\b`,
      String.raw`<\|im_(?:start|end)\|>|\[\/?INST\]|<<SYS>>`,
      '从现在(?:开始|起).{0,4}你|你现在是|假装你是',
    ],
  ],
  [
    'hides from the user',
    [
      String.raw`\b(?:do not|don't|never) (?:tell|inform|notify|alert)\s{1,9}(?:the\s{1,9})?users?\b(?!\s{1,9}(?:to|how)\b)`,
      String.raw`\b(?:do not|don't|never) (?:mention|reveal|disclose)\b[^.\n]{0,60}\bto the user\b`,
      String.raw`\b(?:hide|conceal|keep)\s{1,9}(?:this|that|it)\b[^.\n]{0,40}\bfrom the user\b`,
      '(?:不要|不得|别|勿).{0,10}(?:告诉|告知|通知|提醒).{0,4}用户|(?:不要|别|勿)让用户(?:知道|看到|发现)|瞒着用户|对用户(?:隐瞒|保密)',
    ],
  ],
  [
    'lifts restrictions',
    [
      String.raw`${NOT_FORBIDDEN}\b(?:bypass|disable|turn off|skip|without)\b[^.!?,;:\n]{0,30}\b(?:restrictions?|approvals?|confirmations?|safety|guardrails?)\b`,
      `${NOT_FORBIDDEN}(?:绕过|跳过|关闭|禁用).{0,6}(?:审批|确认|限制|安全检查|权限)`,
    ],
  ],
  [
    'sends secrets away',
    [
      String.raw`\b(?:curl|wget|nc|fetch\()[^\n]{0,120}(?:\$\{?\w{0,40}(?:KEY|TOKEN|SECRET|PASSWORD)|${SECRET_FILE})`,
      String.raw`把.{0,20}(?:\.env|密钥|密码|令牌|凭证).{0,20}(?:发送|上传|发给|发到|传到)`,
    ],
  ],
  ['reads secrets', [String.raw`\bcat\b[^\n]{0,120}(?:${SECRET_FILE})`]],
  [
    'stays behind',
    [
      String.raw`(?:>>?|\btee\b|\badd\b|\bappend\b)[^\n]{0,80}authorized_keys`,
      String.raw`\bcrontab\b.{0,40}(?:curl|wget|bash)|>>?\s{0,5}~\/\.(?:bashrc|zshrc|profile|ssh)`,
    ],
  ],
  ['imitates a fence of Hermes', [String.raw`<\/?memory-context>`]],
];

const PATTERNS = THREATS.map(([name, patterns]) => [name, new RegExp(patterns.join('|'), 'im')] as const);

export interface Scan {
  /** What was found, in words; empty for a harmless text. */
  readonly threats: readonly string[];
  /** The text with hidden characters made visible. */
  readonly text: string;
}

/** Looks at a text that did not come from the user before it enters the prompt. */
export function scanContext(given: string): Scan {
  const text = given.replace(/^\ufeff/, '');
  // Read as a model reads it: hidden characters and look-alikes of full width must not hide a word.
  const plain = dropHidden(text).normalize('NFKC');
  const threats = PATTERNS.flatMap(([name, pattern]) => (pattern.test(plain) ? [name] : []));
  const hidden = hasHidden(text);
  return {
    threats: hidden ? [...threats, HIDDEN] : threats,
    text: hidden ? showHidden(text) : text,
  };
}

/** The one finding that is mended by showing it. */
export const HIDDEN = 'has hidden characters';
