import { scanContext } from '#kit/scan-context';
import { isName, piecesOf } from '../experience/tokens-of.ts';
import type { Handler, ProcedureStep, Slot } from './procedure.ts';

/** Lines of a skill that are read back by `readProcedure`: change both together. */

const callText = ({ tool, input }: ProcedureStep): string => `\`${tool}\` ${JSON.stringify(input)}`;

export const stepLine = (step: ProcedureStep, number: number): string => `${number}. Call ${callText(step)}`;

export function slotLine({ name, from, step, example }: Slot): string {
  const where = {
    task: 'named in the request',
    result: `in the result of step ${step}`,
    choice: 'to be chosen',
  }[from];
  return `- \`${name}\`: ${where}, such as \`${quotable(likeness(example), 60)}\``;
}

/** A name of one thing as what it looks like: its letters would draw every task about that thing. */
const likeness = (example: string): string =>
  isName(example)
    ? example.replaceAll(/[a-z]/g, 'a').replaceAll(/[A-Z]/g, 'A').replaceAll(/\d/g, '0')
    : example;

/** A line without the names of single things. */
export const withoutNames = (line: string): string =>
  piecesOf(line)
    .map((piece) => (isName(piece) ? '…' : piece))
    .join('');

export function handlerLine({ step, error, instead }: Handler): string {
  const said = quotable(withoutNames(error), 80);
  const how = instead.length ? `call instead: ${instead.map(callText).join('; ')}` : 'stop and say so';
  return `- When step ${step} fails${said ? ` with "${said}"` : ''}, ${how}`;
}

/**
 * Words of a tool or a stranger, as they may stand in a skill: one line, no markup, and nothing at all of a text that
 * tries to give orders.
 */
export function quotable(text: string, most: number): string {
  const line = text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[`"<>{}[\]|*#]/g, '')
    .replaceAll(/https?:\S+/g, '')
    .trim();
  return scanContext(text).threats.length || scanContext(line).threats.length
    ? ''
    : line.slice(0, most).trim();
}
