import { fail } from '#kit/app-error';
import type { CliContext } from './command.ts';

interface Range {
  readonly least?: number;
  readonly most?: number;
}

export const PORTS: Range = { least: 0, most: 65_535 };
const MOST = 1_000_000;

/** Reads the value of an option that counts something. What is no such number is refused, never guessed at. */
export const wholeNumber =
  (option: string, { text }: Pick<CliContext, 'text'>, { least = 1, most = MOST }: Range = {}) =>
  (given: string): number => {
    const value = /^\d+$/.test(given.trim()) ? Number(given) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw fail('input.invalid', text.notANumber(option, given, least, most));
  };
