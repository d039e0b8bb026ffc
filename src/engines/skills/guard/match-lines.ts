import { LINE_RULES } from './rules/index.ts';
import { lowered, type Sighting } from './rule.ts';
import { forbidsBefore, type TextLine } from './text-lines.ts';

/** Every rule on every line that it is for. */
export function matchLines(given: readonly TextLine[]): Sighting[] {
  const lines = given.filter((line) => line.text.trim() !== '');
  const code = lines.map((line) => (line.code ? line.text : '')).join('\n');
  const all = lines.map((line) => line.text).join('\n');
  // Most rules match nowhere; that is found out at once, not line by line.
  const present = LINE_RULES.filter((rule) => anywhere(rule.pattern).test(rule.code ? code : all));
  return lines.flatMap((line) =>
    present.flatMap((rule) => {
      if (rule.code && !line.code) return [];
      const match = rule.pattern.exec(line.text);
      if (!match || rule.unless?.test(line.text)) return [];
      const told = !rule.always && (line.warned || forbidsBefore(line.text, match.index));
      const severity = told ? lowered(rule.severity) : rule.severity;
      return [{ line: line.number, rule: rule.rule, severity, text: line.text }];
    }),
  );
}

/** The same pattern for a text of many lines. No rule crosses a line. */
function anywhere(pattern: RegExp): RegExp {
  const known = MANY.get(pattern);
  if (known) return known;
  const made = new RegExp(pattern.source, pattern.flags.includes('m') ? pattern.flags : `${pattern.flags}m`);
  MANY.set(pattern, made);
  return made;
}

const MANY = new WeakMap<RegExp, RegExp>();
