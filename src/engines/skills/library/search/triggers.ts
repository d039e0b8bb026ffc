import { matchesGlob } from 'node:path';
import type { Skill } from '#spec/data';

/** What is known beside the message itself. */
export interface Surroundings {
  /** Names of files in the working folder. */
  readonly files?: readonly string[] | undefined;
  /** Such as `git_diff_available`. */
  readonly signals?: readonly string[] | undefined;
}

interface FiredTriggers {
  readonly keywords: readonly string[];
  readonly signals: readonly string[];
  readonly files: readonly string[];
}

const MOST_FILES = 200;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Which triggers of a skill the message and its surroundings fire. */
export function firedTriggers(text: string, { triggers }: Skill, around: Surroundings): FiredTriggers {
  const said = text.toLowerCase();
  return {
    keywords: triggers.keywords.filter((keyword) => hasWord(said, keyword.toLowerCase())),
    signals: triggers.contextSignals.filter((signal) => around.signals?.includes(signal)),
    files: triggers.filePatterns.filter((pattern) =>
      around.files?.slice(0, MOST_FILES).some((file) => matchesGlob(file, pattern)),
    ),
  };
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
