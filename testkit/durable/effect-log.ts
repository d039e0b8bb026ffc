import { appendFileSync, existsSync, readFileSync } from 'node:fs';

interface LogLine {
  readonly what: string;
  readonly flow: string;
  readonly pid: number;
  readonly key?: string;
  readonly fence?: number;
}

/** The world that flows have their effects on: a file that several processes append to and none takes anything from. */
export interface EffectLog {
  add(line: Omit<LogLine, 'pid'>): void;
  lines(): readonly LogLine[];
}

export function effectLog(path: string): EffectLog {
  return {
    add: (line) => appendFileSync(path, `${JSON.stringify({ ...line, pid: process.pid })}\n`),
    lines: () =>
      (existsSync(path) ? readFileSync(path, 'utf8') : '')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as LogLine),
  };
}
