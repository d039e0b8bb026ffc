import { tell } from '#kit/text';
import type { CommandLister, Findings } from './judgement.ts';
import { showWords } from './shown.ts';

/** Words that the second parser takes for commands, though they only stand in front of one. */
const KEYWORDS = new Set(['time', 'coproc', '!', 'then', 'do', 'function', '[[', '[', '((', 'select', 'in']);
/** Longer texts would take it too long. */
const LONGEST = 16_384;

/** Asks when a second parser sees a command that the first did not, in any script that was found. */
export function crossCheck(lister: CommandLister, findings: Findings): void {
  const known = new Set(findings.commands.map(([name]) => name));
  for (const script of findings.scripts) {
    if (script.length > LONGEST) continue;
    const listed = lister(script);
    if (!listed) {
      if (!isKnownWeakness(script))
        findings.report(
          'ask',
          tell('A second parser cannot read it as shell syntax.', '另一个解析器无法把它读作 shell 语法。'),
        );
      continue;
    }
    for (const words of listed) {
      const [name] = words;
      if (name === undefined || known.has(name) || KEYWORDS.has(name) || findings.functions.has(name))
        continue;
      findings.report(
        'ask',
        tell(
          `Two parsers disagree about whether it runs ${showWords(words)}.`,
          `两个解析器对它是否运行 ${showWords(words)} 看法不一。`,
        ),
      );
    }
  }
}

/** Syntax that the grammar of the second parser is known not to cover. */
const isKnownWeakness = (text: string): boolean =>
  /\{[^{}\s]*(?:,|\.\.)[^{}\s]*\}|\bcoproc\b|\btime\s+-p|<<|\$\(\(|\[\[.*=~|\$\{[^}]*[@^,/%#]|;&|\bselect\b|&>>/.test(
    text,
  );
