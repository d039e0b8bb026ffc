import { redact } from './redact.ts';

const PRIVATE_KEY = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
const IN_ADDRESS = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{1,80}:([^\s/@]{1,200})@/i;

/** A prefix is apart from the word, or, as in `PGPASSWORD`, right before it. */
const NAMES = String.raw`(?:[a-z0-9]{1,30}[_-]){0,4}(?:[a-z0-9]{0,8}(?:password|passwd|pwd)|passphrase|secret|token|api[_-]?key|apikey|access[_-]?key|account[_-]?key|secret[_-]?key|private[_-]?key|credential)s?|密码|口令|密钥|令牌|凭证|凭据`;
const ASSIGNED = new RegExp(
  String.raw`(?<![a-z0-9])(${NAMES})["'\u0060]?\s{0,4}(=|:|:|\bis\b|是|为|就是)\s{0,4}(["'\u0060]?)([^\s"'\u0060,;,。;]{4,200})`,
  'gi',
);
const PASSWORD = /pass|pwd|密码|口令/i;
/** How programs are handed a password as an argument. */
const HANDED_OVER: readonly RegExp[] = [
  /\b(?:mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump)\b[^\n|;&]{0,200}?\s-p([^\s"'=-][^\s"']{3,100})/,
  /\bsshpass\s{1,4}-p\s{0,4}["']?([^\s"']{4,100})/,
  /\bredis-cli\b[^\n|;&]{0,100}?\s-a\s{1,4}["']?([^\s"']{4,100})/,
  /\b(?:docker|podman|helm registry|az acr)\s{1,4}login\b[^\n|;&]{0,100}?\s-p\s{1,4}["']?([^\s"']{4,100})/,
  /\b(?:curl|wget|http)\b[^\n|;&]{0,200}?\s(?:-u|--user)[\s=]{1,4}["']?[^\s:"']{1,60}:([^\s"']{4,100})/,
];
/** What stands for a value instead of being one. */
const PLACEHOLDER =
  /^(?:<.*>|\$\{?.*|\{\{.*|\[.*\]|\*+|x{3,}|\.{3}.*|…|%\w+%|env[:.].*|vault[:/].*|secret(?:s|manager)?[:/].*|op:\/\/.*|arn:.*|ref\+.*|file:.*|https?:.*|[/~].*)$/i;
const NUMBER_AND_UNIT = /^\d{1,9}(?:\.\d{1,4})?[a-z%]{0,7}$/i;
/** A name that leads to a value: `DB_PASSWORD`, `payment-db-credentials`, `secretKeyRef`. */
const NAME_OF_VARIABLE = /^(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z]+(?:[-_./][a-z]+)+|[A-Za-z]+)$/;
const UPPER_CASE = /^[A-Z_]+$/;

/** Whether a text holds a credential itself, not only words about one; told by what it is called. */
export function findCredential(text: string): string | undefined {
  if (PRIVATE_KEY.test(text)) return 'private key';
  if (redact(text) !== text) return 'key or token';
  const [, inAddress] = IN_ADDRESS.exec(text) ?? [];
  if (inAddress !== undefined && !PLACEHOLDER.test(inAddress)) return 'password in an address';
  const handed = HANDED_OVER.map((pattern) => pattern.exec(text)?.[1]);
  if (handed.some((value) => value !== undefined && !PLACEHOLDER.test(value) && !UPPER_CASE.test(value)))
    return 'password in a command';
  for (const [, name, sign, quote, value] of text.matchAll(ASSIGNED)) {
    if (name && sign && value && isValue(name, sign, quote !== '', value)) return name.toLowerCase();
  }
  return undefined;
}

/** `=` and quotes assign; after `:`, `is` and the like a value has to look like one. */
function isValue(name: string, sign: string, quoted: boolean, value: string): boolean {
  if (PLACEHOLDER.test(value)) return false;
  const password = PASSWORD.test(name);
  if (!password && NUMBER_AND_UNIT.test(value)) return false;
  if (sign === '=' && password) return !/^(?:true|false|null|none|required|optional)$/i.test(value);
  if (NAME_OF_VARIABLE.test(value)) return quoted && password;
  // Chinese words about a password follow without a space; a value is written in Latin letters.
  if (/[^\x21-\x7e]/.test(value)) return false;
  return (
    /\d/.test(value) && (password ? /[a-z]|^\d{6,}$/i.test(value) : /[a-z]/i.test(value) && value.length >= 8)
  );
}
