import { tell } from '#kit/text';
import type { Arg } from '../arg.ts';
import type { Call, Program } from '../call.ts';
import { OPAQUE } from '../feed.ts';
import { type Grammar, known, optionsOf, type Rule, type Words } from '../grammar.ts';
import { runs, type Verb } from '../verbs.ts';

/**
 * What the operands of a tool are. `loads`: places of the project, because code or settings that lie there may run.
 * `changes`: files that it writes again. `reads`: files that it only reads. `text`: nothing of consequence.
 */
type Operands = 'loads' | 'changes' | 'reads' | 'text';

/** A tool that runs with the settings and the code of the project: it may take neither from anywhere else. */
export const tool = (grammar: Grammar, operands: Operands = 'loads', rule?: Rule): Program =>
  known(grammar, ruleOf(grammar, operands, rule));

/** The same for a sub-command. */
export const verb = (grammar: Grammar, operands: Operands = 'loads', rule?: Rule): Verb =>
  runs(grammar, ruleOf(grammar, operands, rule));

const ruleOf =
  (grammar: Grammar, operands: Operands, rule?: Rule): Rule =>
  (call, words) => {
    if (operands !== 'reads') call.level(2);
    for (const place of words.values(...optionsOf(grammar).byKind.inside)) judgePlace(call, place);
    judgeOperands(call, words, operands);
    return rule ? rule(call, words) : OPAQUE;
  };

function judgeOperands(call: Call, words: Words, kind: Operands): void {
  for (const operand of words.operands) {
    if (operand.text === '-') continue;
    if (kind !== 'text') call.reads(operand);
    if (kind === 'loads') loads(call, operand);
    else if (kind === 'changes' && !operand.glob) call.writes(operand, 'change');
    else if (kind === 'changes') loads(call, operand);
  }
}

/** A file or folder whose code or settings run: only the project's own, and not what was written a moment ago. */
export function loads(call: Call, place: Arg): void {
  judgePlace(call, place);
  if (place.below) return;
  if (!(place.literal || place.glob) || !call.isInside(place))
    call.ask(
      tell(
        `uses ${place.text.slice(0, 80)}, which is not known to lie in the working folder`,
        `会使用 ${place.text.slice(0, 80)},它是否在工作目录内尚不可知`,
      ),
    );
}

/** Places may stand within a value: `module=/path`, `a,../b`, settings in JSON. */
function judgePlace(call: Call, place: Arg): void {
  if (call.wroteHere(place))
    call.ask(
      tell(
        `uses ${place.text.slice(0, 80)}, which was just written`,
        `会使用刚写入的 ${place.text.slice(0, 80)}`,
      ),
    );
  if (/^\s*[[{(]|=>|\bfunction\b|^[a-z][\w+.-]+:\/|^data:/i.test(place.text))
    call.ask(tell('is given settings or code in its words', '参数中带有设置或代码'));
  for (const part of place.text.split(/[,:;="'{}[\]()\s]+/))
    if (/^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(part) && !call.isInside({ ...place, text: part }))
      call.ask(
        tell(
          `uses ${part.slice(0, 80)}, which lies outside of the working folder`,
          `会使用 ${part.slice(0, 80)},它在工作目录之外`,
        ),
      );
}

/**
 * Words for a script of the project. They are that script's own business, but nothing from outside of the project goes to
 * it unseen.
 */
export function wordsForScript(call: Call, words: readonly Arg[]): void {
  for (const word of words) {
    if (!word.literal && !word.plain && !word.below && !word.whole)
      call.ask(tell('is given words that are not known', '带有未知的参数'));
    call.reads(word);
    for (const part of word.text.replace(/\b(?!file)[a-z]+:\/\/[^,\s]*/gi, '').split(/[=,:]/))
      if (/^(?:[/~]|\.\.(?:\/|$))/.test(part) && !call.isInside({ ...word, text: part }))
        call.ask(
          tell(
            `is given ${part.slice(0, 80)}, which lies outside of the working folder`,
            `被指向 ${part.slice(0, 80)},它在工作目录之外`,
          ),
        );
  }
}
