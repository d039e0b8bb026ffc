import type { LogLine } from '#spec/data';
import { type Side, sideOf } from '../traces/trace-index.ts';
import type { Windows } from '../windows.ts';
import { templateOf } from './template-of.ts';

/** A line of one of the two windows with its template. */
export interface ReadLine {
  readonly line: LogLine;
  readonly side: Side;
  readonly template: string;
}

export function readLines(logs: readonly LogLine[], windows: Windows): ReadLine[] {
  return logs.flatMap((line) => {
    const side = sideOf(line.time, windows);
    return side ? [{ line, side, template: templateOf(line.message) }] : [];
  });
}
