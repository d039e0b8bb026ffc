import { z } from 'zod';
import type { Files } from '#spec/ports';
import { textIfAny } from '../read-text.ts';

interface FileCoverage {
  readonly path: string;
  readonly percent: number;
  readonly covered: number;
  readonly lines: number;
}

export interface CoverageReport {
  readonly source: string;
  readonly files: readonly FileCoverage[];
}

/** Where the usual tools leave what they measured. */
export const COVERAGE_PATHS = [
  'coverage/coverage-summary.json',
  'coverage/lcov.info',
  'lcov.info',
  'coverage.json',
  'coverage.xml',
  'coverage.out',
  'cover.out',
] as const;

/** The first report that can be read. */
export async function readCoverage(
  files: Files,
  paths: readonly string[] = COVERAGE_PATHS,
): Promise<CoverageReport | undefined> {
  for (const path of paths) {
    const text = await textIfAny(files, path);
    const found = text === undefined ? [] : parseCoverage(path, text, files.root);
    if (found.length > 0) return { source: path, files: found };
  }
  return undefined;
}

function parseCoverage(path: string, text: string, root: string): FileCoverage[] {
  const short = (file: string) => (file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file);
  const made = (file: string, covered: number, lines: number): FileCoverage => ({
    path: short(file),
    covered,
    lines,
    percent: lines === 0 ? 100 : Math.round((covered / lines) * 1_000) / 10,
  });
  if (path.endsWith('.info')) return lcov(text, made);
  if (path.endsWith('.xml')) return cobertura(text, made);
  if (path.endsWith('.out')) return goCover(text, made);
  return jsonSummary(text, made);
}

type Made = (file: string, covered: number, lines: number) => FileCoverage;

function lcov(text: string, made: Made): FileCoverage[] {
  return text.split('end_of_record').flatMap((record) => {
    const file = /^SF:(.+)$/m.exec(record)?.[1];
    const [lines, covered] = [/^LF:(\d+)$/m, /^LH:(\d+)$/m].map((pattern) => pattern.exec(record)?.[1]);
    return file && lines && covered ? [made(file.trim(), Number(covered), Number(lines))] : [];
  });
}

function cobertura(text: string, made: Made): FileCoverage[] {
  return [...text.matchAll(/<class\b[^>]*?filename="([^"]+)"[^>]*>([\s\S]*?)<\/class>/g)].map(
    ([, file = '', body = '']) => {
      const hits = [...body.matchAll(/<line\b[^>]*?hits="(\d+)"/g)].map(([, times]) => Number(times));
      return made(file, hits.filter((times) => times > 0).length, hits.length);
    },
  );
}

/** Each line names a block, how many statements it has, and how often it ran. */
function goCover(text: string, made: Made): FileCoverage[] {
  const sums = new Map<string, [covered: number, all: number]>();
  for (const [, file = '', statements, times] of text.matchAll(/^(.+):[\d.]+,[\d.]+ (\d+) (\d+)$/gm)) {
    const sum = sums.get(file) ?? [0, 0];
    sums.set(file, sum);
    sum[1] += Number(statements);
    if (Number(times) > 0) sum[0] += Number(statements);
  }
  return [...sums].map(([file, [covered, all]]) => made(file, covered, all));
}

const Istanbul = z.record(
  z.string(),
  z.object({ lines: z.object({ total: z.number(), covered: z.number() }) }),
);
const CoveragePy = z.object({
  files: z.record(
    z.string(),
    z.object({ summary: z.object({ covered_lines: z.number(), num_statements: z.number() }) }),
  ),
});

function jsonSummary(text: string, made: Made): FileCoverage[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // A report that was cut off while it was written is none.
    return [];
  }
  const python = CoveragePy.safeParse(value).data;
  if (python)
    return Object.entries(python.files).map(([file, { summary }]) =>
      made(file, summary.covered_lines, summary.num_statements),
    );
  const istanbul = Istanbul.safeParse(value).data ?? {};
  return Object.entries(istanbul)
    .filter(([file]) => file !== 'total')
    .map(([file, { lines }]) => made(file, lines.covered, lines.total));
}
