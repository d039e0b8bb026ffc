import { readFileSync } from 'node:fs';
import { type Language, LANGUAGES, languageOfLocale } from '#kit/language';
import { resolveHome } from './home.ts';
import type { Env } from '#config';

/**
 * The language to speak before the configuration is loaded, so that its own mistakes can be told in it:
 * `HERMES_LANGUAGE`, then `language:` in config.yaml, then the locale. Never throws.
 */
export function preferredLanguage(env: Env, profile: string | undefined): Language {
  const named = env.HERMES_LANGUAGE || languageInFile(env, profile);
  const known = LANGUAGES.find((language) => language === named);
  return known ?? languageOfLocale(env.LC_ALL || env.LC_MESSAGES || env.LANG);
}

function languageInFile(env: Env, profile: string | undefined): string | undefined {
  try {
    const text = readFileSync(resolveHome({ env, profile }).file('config.yaml'), 'utf8');
    return /^language:\s*["']?(\w+)/m.exec(text)?.[1];
  } catch {
    // No such home or file: whoever needs it says so.
    return undefined;
  }
}
