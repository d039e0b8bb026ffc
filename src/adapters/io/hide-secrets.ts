import { createHash } from 'node:crypto';
import { isRecord } from '#kit/is-record';
import { looksSecret } from '#kit/looks-secret';

/** Tells two hidden values apart without showing either. */
const mark = (value: unknown): string =>
  `[hidden ${createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 8)}]`;

/** What may be shown of the value of something with this name. */
export const hideValue = <T>(name: string, value: T): T | string =>
  typeof value === 'string' && looksSecret(name) ? mark(value) : value;

const ASSIGNED = /^(\s*(?:--?)?([\w.-]+)(?:=|:\s+))(\S.*)$/gm;
const PASSWORD_IN_URL = /(:\/\/[^\s:/@]+:)([^\s@/]+)(?=@)/g;

/** Lines such as `db.password=…`, arguments such as `--token=…`, and passwords in addresses. */
const hideInText = (text: string): string =>
  text
    .replace(ASSIGNED, (line, start: string, name: string, value: string) =>
      looksSecret(name) ? start + mark(value) : line,
    )
    .replace(PASSWORD_IN_URL, (_, start: string, password: string) => start + mark(password));

/**
 * The same value, where what stands under a name that sounds secret is a mark: in objects, and in lists of
 * `{name, value}` as in the environment of a container.
 */
export function hideSecrets(value: unknown): unknown {
  if (typeof value === 'string') return hideInText(value);
  if (Array.isArray(value)) return value.map(hideSecrets);
  if (!isRecord(value)) return value;
  const named = typeof value.name === 'string' && 'value' in value && looksSecret(value.name);
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      if (typeof part === 'string' && (looksSecret(name) || (named && name === 'value')))
        return [name, mark(part)];
      return [name, hideSecrets(part)];
    }),
  );
}
