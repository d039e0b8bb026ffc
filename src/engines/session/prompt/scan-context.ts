import { hasHidden, showHidden } from '#kit/hidden-characters';

/** What a text that is read by the model must not try. English and Chinese. */
const THREATS: readonly (readonly [string, RegExp])[] = [
  [
    'asks to ignore instructions',
    /\b(ignore|disregard|forget)\b.{0,40}\b(previous|prior|above|all|your|system)\b.{0,20}\b(instructions?|rules?|prompts?|guidelines?)\b|忽略.{0,12}(之前|以上|所有|系统).{0,8}(指令|提示|规则)/i,
  ],
  [
    'takes over the role',
    /\b(you are now|from now on,? you|act as if you have no|pretend (to be|you are))\b.{0,60}|^\s*(system|assistant)\s*:/im,
  ],
  [
    'hides from the user',
    /\b(do not|don't|never) (tell|inform|mention|show|reveal)\b.{0,30}\b(the )?user\b|不要.{0,6}(告诉|告知).{0,4}用户/i,
  ],
  [
    'lifts restrictions',
    /\b(bypass|disable|turn off|without)\b.{0,30}\b(restrictions?|approvals?|confirmation|safety|guardrails?)\b/i,
  ],
  [
    'sends secrets away',
    /\b(curl|wget|fetch|nc)\b[^\n]*(\$\{?\w*(KEY|TOKEN|SECRET|PASSWORD)|\.env\b|id_rsa|credentials)/i,
  ],
  ['reads secrets', /\bcat\b[^\n]*(\.env\b|id_rsa|\.aws\/credentials|\.netrc|\.kube\/config)/i],
  [
    'stays behind',
    /authorized_keys|\bcrontab\b.{0,40}(curl|wget|bash)|>>?\s*~\/\.(bashrc|zshrc|profile|ssh)/i,
  ],
  ['imitates a fence of Hermes', /<\/?memory-context>/i],
];

export interface Scan {
  /** What was found, in words; empty for a harmless text. */
  readonly threats: readonly string[];
  /** The text with hidden characters made visible. */
  readonly text: string;
}

/** Looks at a text that did not come from the user before it enters the prompt. */
export function scanContext(text: string): Scan {
  const visible = showHidden(text);
  const threats = THREATS.flatMap(([name, pattern]) => (pattern.test(visible) ? [name] : []));
  return { threats: hasHidden(text) ? [...threats, 'has hidden characters'] : threats, text: visible };
}

/** A context file as it enters the prompt: harmless, bounded, or replaced by a notice that says why. */
export function contextFile(
  name: string,
  text: string,
  mostChars: number,
): { text: string; notice?: string } {
  const scan = scanContext(text);
  const serious = scan.threats.filter((threat) => threat !== 'has hidden characters');
  if (serious.length) {
    const notice = `${name} was left out: it ${serious.join(' and ')}.`;
    return { text: `[${notice}]`, notice };
  }
  const notice = scan.threats.length ? `${name} has hidden characters; they are shown as ⟪U+…⟫.` : undefined;
  return { text: bounded(scan.text.trim(), mostChars), ...(notice ? { notice } : {}) };
}

/** The start tells most, the end some. */
function bounded(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, Math.floor(most * 0.7));
  const tail = text.slice(text.length - Math.floor(most * 0.2));
  return `${head}\n[… ${(text.length - head.length - tail.length).toLocaleString('en')} characters left out …]\n${tail}`;
}
