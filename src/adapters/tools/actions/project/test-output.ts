import { stripVTControlCharacters } from 'node:util';

interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const strip = (text: string): string => stripVTControlCharacters(text);

const number = (pattern: RegExp, text: string): number | undefined => {
  const found = [...text.matchAll(pattern)].map(([, digits]) => Number(digits));
  return found.length > 0 ? found.reduce((sum, each) => sum + each, 0) : undefined;
};

/** What the summary of a test run counts. Undefined where it has none that is known. */
export function testCounts(output: string): TestCounts | undefined {
  const text = strip(output);
  const tap = /^# (?:tests|pass) \d+$/m.test(text) || /^ℹ pass \d+$/m.test(text);
  if (tap)
    return counted(text, /^(?:#|ℹ) pass (\d+)$/gm, /^(?:#|ℹ) fail (\d+)$/gm, /^(?:#|ℹ) skipped (\d+)$/gm);
  const cargo = /^test result: /m.test(text);
  if (cargo)
    return counted(
      text,
      /^test result: .*?(\d+) passed/gm,
      /^test result: .*?(\d+) failed/gm,
      /^test result: .*?(\d+) ignored/gm,
    );
  if (/^(?:ok|FAIL|---|\?)\s+/m.test(text) && /^(?:ok|FAIL)\s+\S+\s+(?:[\d.]+s|\(cached\)|\[)/m.test(text))
    return goCounts(text);
  // The last line of the summary: vitest and jest print files above tests.
  const line = text.split('\n').findLast((each) => /\d+ (?:passed|failed|passing|failing)\b/.test(each));
  if (line === undefined) return undefined;
  const mocha = /\d+ (?:passing|failing)\b/.test(line);
  return mocha
    ? counted(text, /(\d+) passing\b/g, /(\d+) failing\b/g, /(\d+) pending\b/g)
    : counted(line, /(\d+) passed\b/g, /(\d+) (?:failed|errors?)\b/g, /(\d+) (?:skipped|todo)\b/g);
}

const counted = (text: string, passed: RegExp, failed: RegExp, skipped: RegExp): TestCounts => ({
  passed: number(passed, text) ?? 0,
  failed: number(failed, text) ?? 0,
  skipped: number(skipped, text) ?? 0,
});

/** Without -v, Go counts packages. */
const goCounts = (text: string): TestCounts => ({
  passed: text.match(/^ok\s/gm)?.length ?? 0,
  failed: text.match(/^FAIL\s+\S+\s/gm)?.length ?? 0,
  skipped: text.match(/^\?\s/gm)?.length ?? 0,
});

const FAILURE =
  /^\s*(?:FAILED |--- FAIL: |✗ |× |✖ |not ok \d+|●\s|FAIL\s+\S+.*>|test .+ \.\.\. FAILED|\d+\) )/;

/** The names of tests that failed, as their runner writes them. */
export const testFailures = (output: string): string[] =>
  [
    ...new Set(
      strip(output)
        .split('\n')
        .filter((line) => FAILURE.test(line))
        .map((line) => line.trim().slice(0, 300)),
    ),
  ].slice(0, 100);
