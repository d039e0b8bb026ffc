import { hasHidden } from '#kit/hidden-characters';
import { HIDDEN, scanContext } from '#kit/scan-context';
import { lowered, type Severity, type Sighting } from './rule.ts';
import type { TextLine } from './text-lines.ts';

/** What the scan calls a threat, as a rule of ours. What is missing here is weighed by rules that see more. */
const THREATS: Readonly<Record<string, readonly [rule: string, severity: Severity]>> = {
  'asks to ignore instructions': ['injection.ignore', 'dangerous'],
  'takes over the role': ['injection.role', 'caution'],
  'hides from the user': ['injection.hide', 'caution'],
  'lifts restrictions': ['injection.restrictions', 'caution'],
  'imitates a fence of Hermes': ['injection.fence', 'dangerous'],
};
/** Lines that are looked at together: a sentence may run over their ends. */
const WINDOW = 3;
/** Said about somebody's words, not to the reader. */
const QUOTED =
  /"[^"\n]{0,400}"|“[^”\n]{0,400}”|`[^`\n]{0,400}`|(?<!\w)'[^'\n]{0,400}'(?!\w)|「[^」\n]{0,400}」/g;
/** How a program is told not to ask; every other program can be told that. */
const FLAG = /(?:^|[\s`|(])--?[a-z][\w-]*|`/i;

/** Words to the model that are not the user's. A quoted one may be an example, and only a person can tell. */
export function injections(lines: readonly TextLine[]): Sighting[] {
  const whole = scanContext(lines.map((line) => line.text).join('\n')).threats;
  const wanted = new Set(whole.filter((threat) => threat in THREATS));
  if (wanted.size === 0) return [];
  const found: Sighting[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const window = lines.slice(at, at + WINDOW);
    const text = window.map((line) => line.text).join('\n');
    const line = window[0] as TextLine;
    // Counted where it begins: the lines after it alone do not say it.
    const rest = new Set(
      scanContext(
        window
          .slice(1)
          .map((one) => one.text)
          .join('\n'),
      ).threats,
    );
    for (const threat of scanContext(text).threats) {
      const known = THREATS[threat];
      if (!known || !wanted.has(threat) || rest.has(threat)) continue;
      const bare = scanContext(text.replaceAll(QUOTED, '')).threats.includes(threat);
      const flag = known[0] === 'injection.restrictions' && FLAG.test(line.text);
      const told = line.code || line.warned || !bare || flag;
      found.push({
        line: line.number,
        rule: known[0],
        severity: told ? lowered(known[1]) : known[1],
        text: line.text,
      });
    }
  }
  return found;
}

/** Bidirectional controls reorder what a reader sees; tag characters spell words that nobody sees. */
// oxlint-disable-next-line no-misleading-character-class
const DECEIVING =
  /[\u202a-\u202e\u2066-\u2069]|(?<!\u{1f3f4}[\u{e0061}-\u{e007a}]{0,6})[\u{e0001}-\u{e007f}]{2,}/u;
/** Within a word they break it up for whoever searches, and for nobody else. */
const IN_WORD = /\p{Script=Latin}[\xad\u200b-\u200d\u2060\ufeff]{1,9}\p{Script=Latin}/u;
// oxlint-disable-next-line no-control-regex
const TERMINAL = /\x1b[[\]]/;

/** Characters that cannot be seen, from the text as it is. */
export function hiddenCharacters(text: string): Sighting[] {
  if (!scanContext(text).threats.includes(HIDDEN)) return [];
  return text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .flatMap((line, index) => {
      if (!hasHidden(line)) return [];
      const deceives = DECEIVING.test(line) || TERMINAL.test(line);
      const severity: Severity = deceives ? 'dangerous' : IN_WORD.test(line) ? 'caution' : 'notice';
      const rule = deceives ? 'obfuscation.deceiving-characters' : 'obfuscation.invisible-characters';
      return [{ line: index + 1, rule, severity, text: line }];
    });
}
