import { isRecord } from '#kit/is-record';

/** Fields of frontmatter, whatever shape people gave them: a list, a text with commas, a single value. */
export function texts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(texts);
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'string') return [];
  return value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

/** One line of text; undefined where there is none. */
export function line(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = Array.isArray(value) ? texts(value).join(', ') : typeof value === 'string' ? value : '';
  return text.replace(/\s+/g, ' ').trim() || undefined;
}

export const record = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});

/** Names of variables: `[TOKEN]`, `[{name: TOKEN}]` or `{TOKEN: why}`. */
export function variableNames(value: unknown): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((one) => (isRecord(one) ? texts(one['name'] ?? one['key']) : texts(one)));
  }
  return isRecord(value) ? Object.keys(value) : texts(value);
}

const PLATFORMS: Readonly<Record<string, string>> = {
  macos: 'macos',
  mac: 'macos',
  osx: 'macos',
  darwin: 'macos',
  linux: 'linux',
  windows: 'windows',
  win32: 'windows',
};

/** The name under which skills know an operating system, from whatever it was called. */
export const platformName = (name: string): string => PLATFORMS[name.toLowerCase()] ?? name.toLowerCase();
