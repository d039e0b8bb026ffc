import type { Sighting } from './rule.ts';
import type { TextLine } from './text-lines.ts';

const MIXED =
  /(?=[\p{Script=Latin}\p{Script=Cyrillic}]*\p{Script=Latin})(?=[\p{Script=Latin}\p{Script=Cyrillic}]*\p{Script=Cyrillic})[\p{Script=Latin}\p{Script=Cyrillic}]{3,40}/u;
const CYRILLIC = /\p{Script=Cyrillic}/u;
const HOST = /\bhttps?:\/\/([^\s/"'`)>\]]{1,200})/gi;
const ODD = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Cherokee}\p{Script=Armenian}]/u;
const LATIN = /\p{Script=Latin}/u;

/** Letters of two scripts in one word: it looks like another word. */
export function lookAlikes(lines: readonly TextLine[]): Sighting[] {
  return lines.flatMap((line): Sighting[] => {
    if (!ODD.test(line.text)) return [];
    const at = { line: line.number, text: line.text };
    const hosts = [...line.text.matchAll(HOST)].map((match) => match[1] ?? '');
    // A top-level domain in Latin says nothing about the rest.
    const deceiving = hosts.some((host) =>
      host.split('.').some((label) => ODD.test(label) && LATIN.test(label)),
    );
    if (deceiving) return [{ ...at, rule: 'obfuscation.look-alike-host', severity: 'dangerous' }];
    if (!CYRILLIC.test(line.text) || !MIXED.test(line.text)) return [];
    return [{ ...at, rule: 'obfuscation.look-alike', severity: 'caution' }];
  });
}

/** Whether a name mixes scripts. */
export const isMixed = (name: string): boolean => ODD.test(name) && LATIN.test(name);
