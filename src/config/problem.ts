import type { Language } from '#kit/language';
import { redact } from '#kit/redact';
import { say, type Text } from '#kit/text';

/** Something wrong with the configuration, where it stands, in one line. */
export interface Problem {
  /** config.yaml or the environment variable that holds it. */
  readonly source: string;
  readonly line?: number;
  readonly column?: number;
  /** The key; empty for the file as a whole. */
  readonly path: string;
  readonly message: Text | string;
}

interface Where {
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

export function formatProblem(
  { source, line, column, path, message: said }: Where & Pick<Problem, 'source' | 'path' | 'message'>,
  language: Language = 'en',
): string {
  const message = say(said, language);
  const place = line === undefined ? source : `${source}:${line}:${column ?? 1}`;
  return path === '' ? `${place}: ${message}` : `${place}: ${path}: ${message}`;
}

/** A text as it may be shown: without what looks like a key or a password. */
export function hideSecrets(text: string): string {
  return redact(text)
    .replace(/\/\/[^/@\s]*@/g, '//[hidden]@')
    .replace(/((?:api_?key|token|secret|password)["']?\s*[:=]\s*)(?!["']?\$\{).+/i, '$1[hidden]');
}
