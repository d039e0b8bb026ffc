import pc from 'picocolors';
import type { Language } from '#kit/language';
import { looksSecret } from '#kit/looks-secret';
import { type KnownSecrets, redact } from '#kit/redact';
import { type ErrorRecord, type ErrorSource, STORE_NAMES } from '#spec/data';
import type { CliContext } from './command.ts';
import { damageText } from './text/store-text.ts';

/** Tells a person what went wrong, who said so, and what to do. A stack appears only for a defect of ours. */
export function showError(
  error: ErrorRecord,
  { text, language, stderr, env }: CliContext,
  thrown?: unknown,
): void {
  const known = knownText(error, text, language);
  const lines = [`${pc.red('✗')} ${pc.bold(known.title)}${source(error.source)}`, indent(error.message)];
  const attempts = error.details?.attempts;
  if (Array.isArray(attempts) && attempts.length > 1) lines.push(indent(text.triedTimes(attempts.length)));
  const hint = error.hint ?? known.hint;
  if (hint) lines.push(indent(`→ ${hint}`));
  if (error.code === 'internal' && thrown instanceof Error && thrown.stack) lines.push(pc.dim(thrown.stack));
  stderr.write(`${redact(lines.join('\n'), namedSecrets(env))}\n`);
}

/** A damaged file is called by its name, with its own way to mend. */
function knownText({ code, details }: ErrorRecord, text: CliContext['text'], language: Language) {
  const store = STORE_NAMES.find((name) => name === details?.store);
  if (code !== 'store.corrupt' || !store) return text.errors[code];
  const { title, hint } = damageText[language][store];
  return { title, hint: hint(typeof details?.path === 'string' ? details.path : store) };
}

/** What the environment holds under a telling name. */
const namedSecrets = (env: CliContext['env']): KnownSecrets =>
  Object.entries(env).flatMap(([name, value]) =>
    value && looksSecret(name) && !value.startsWith('/') ? [{ name, value }] : [],
  );

const indent = (text: string): string => text.replace(/^/gm, '  ');

/** Who raised it: `openai/gpt-4o, OPENAI_API_KEY, HTTP 429`. */
export function source(from: ErrorSource | undefined): string {
  if (!from) return '';
  const status = from.status ? `HTTP ${from.status}` : undefined;
  const parts = [`${from.provider}/${from.model}`, from.credential, status].filter(Boolean);
  return ` (${parts.join(', ')})`;
}
