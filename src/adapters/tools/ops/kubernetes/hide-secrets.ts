import { redact } from '#kit/redact';

/** Names of variables and fields whose values are nobody's business. */
const SENSITIVE =
  /(?:pass(?:word|wd)?|secret|token|api[-_]?key|private[-_]?key|credential|dsn|connection[-_]?string)/i;
/** Of an object itself or of one in a list, as kubectl prints them; references to a Secret stand deeper or with a dash. */
const SECRET_OBJECT = /^(?:(?: {2})?kind: Secret|(?: {4}| {12})"kind": "Secret",?)$/m;
const PAIR = /"name":"([^"]{1,200})","value":"(?:[^"\\]|\\.)*"/g;
const FIELD = /("([\w.-]{1,80})"\s*:\s*)"(?:[^"\\]|\\.)*"/g;

/** Whether an object of kind Secret stands in what was printed, whatever was asked for. */
export const showsSecretObject = (text: string): boolean => SECRET_OBJECT.test(text);

/**
 * What Kubernetes prints, without what looks like a credential: values of variables and fields with telling names, in
 * YAML, JSON and descriptions, and everything that has the shape of a key.
 */
export function hideSecrets(text: string): string {
  let named = false;
  const lines = text.split('\n').map((line) => {
    // `- name: DB_PASSWORD` and, in the next line, `value: hunter2`.
    const value = /^(\s*(?:- )?"?value"?\s*:\s*)(\S.*?)(,?)$/.exec(line);
    if (named && value) return `${value[1]}[redacted]${value[3]}`;
    const name = /^\s*(?:- )?"?name"?\s*:\s*"?([\w.-]+)"?,?\s*$/.exec(line)?.[1];
    named = name !== undefined && SENSITIVE.test(name);
    return hideLine(line);
  });
  return redact(hideCompact(lines.join('\n')));
}

/** JSON on one line, as `jsonpath` and annotations have it. */
const hideCompact = (text: string): string =>
  text
    .replace(PAIR, (all, name: string) =>
      SENSITIVE.test(name) ? `"name":"${name}","value":"[redacted]"` : all,
    )
    .replace(FIELD, (all, lead: string, key: string) => (isSensitive(key) ? `${lead}"[redacted]"` : all));

/** A name of a secret is none. */
const isSensitive = (key: string): boolean =>
  SENSITIVE.test(key) && !/(?:name|ref|path|mount|kind)s?$/i.test(key);

function hideLine(line: string): string {
  const [, lead = '', key = '', rest = ''] = /^(\s*"?)([\w.-]{1,80})("?\s*[:=]\s*)(?=\S)/.exec(line) ?? [];
  if (!key || !isSensitive(key)) return line;
  const value = line.slice(lead.length + key.length + rest.length);
  // Nothing but the opening of a block, a reference or a plain yes and no tells a secret.
  if (/^(?:[[{|>]|<set to the key|<nil>|true|false|null|\d+\s*$)/.test(value)) return line;
  return `${lead}${key}${rest}[redacted]${value.endsWith(',') ? ',' : ''}`;
}
