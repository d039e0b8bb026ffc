import { basename, matchesGlob } from 'node:path';
import type { Skill } from '#spec/data';

/** What is known beside the message itself. */
export interface Surroundings {
  /** Files in and below the working folder, relative to it. */
  readonly files?: readonly string[] | undefined;
  /** Such as `git_diff_available`. */
  readonly signals?: readonly string[] | undefined;
}

interface FiredTriggers {
  readonly keywords: readonly string[];
  readonly signals: readonly string[];
  readonly files: readonly string[];
}

const MOST_FILES = 700;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Which triggers of a skill the message and its surroundings fire. */
export function firedTriggers(text: string, { triggers }: Skill, around: Surroundings): FiredTriggers {
  const said = text.toLowerCase();
  const files = around.files?.slice(0, MOST_FILES) ?? [];
  return {
    keywords: triggers.keywords.filter((keyword) => hasWord(said, keyword.toLowerCase())),
    signals: triggers.contextSignals.filter(
      (signal) => around.signals?.includes(signal) || namesPresent(signal, files),
    ),
    files: triggers.filePatterns.filter((pattern) => files.some((file) => fitsPattern(file, pattern))),
  };
}

/** As with a list of ignored files: a pattern without a folder fits a name wherever it lies. */
const fitsPattern = (file: string, pattern: string): boolean =>
  matchesGlob(pattern.includes('/') ? file : basename(file), pattern);

/** `dockerfile_present`, `Dockerfile present`, `package.json exists`, `项目目录存在 Dockerfile`. */
const PRESENT =
  /^(?:a |the )?([\w.*-]+?)[ _](?:is[ _])?(?:present|exists|found)$|(?:存在|包含|有)\s?([\w.*-]+)$/i;

function namesPresent(signal: string, files: readonly string[]): boolean {
  const [, before, after] = PRESENT.exec(signal.trim()) ?? [];
  const name = (before ?? after)?.toLowerCase();
  return name !== undefined && files.some((file) => matchesGlob(basename(file).toLowerCase(), name));
}

/** Chinese has no spaces between words; elsewhere a keyword is no part of a longer word. */
function hasWord(text: string, keyword: string): boolean {
  if (keyword === '') return false;
  for (let at = text.indexOf(keyword); at >= 0; at = text.indexOf(keyword, at + 1)) {
    const isLetter = (character: string | undefined) =>
      character !== undefined && /[\p{L}\p{N}]/u.test(character) && !CJK.test(character);
    if (!isLetter(text[at - 1]) && !isLetter(text[at + keyword.length])) return true;
  }
  return false;
}
