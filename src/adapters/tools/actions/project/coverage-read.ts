import { z } from 'zod';
import { defineTool } from '#spec/ports';
import { COVERAGE_PATHS, readCoverage } from './coverage-reports.ts';
import { answer, count, refusal } from '../../text/answer.ts';

const input = z.strictObject({
  path: z.string().min(1).optional().describe('of the report; default: where the usual tools leave it'),
  threshold: z.number().min(0).max(100).default(80).describe('percent'),
});

export const tool = defineTool<z.infer<typeof input>>({
  name: 'coverage_read',
  toolset: 'actions',
  description:
    'Read a coverage report (istanbul, lcov, coverage.py, cobertura, Go): percent by file, and what is below a threshold.',
  input,
  deferred: true,
  effect: () => 0,
  footprint: () => ({}),
  async run({ path, threshold }, { files }) {
    const report = await readCoverage(files, path === undefined ? COVERAGE_PATHS : [path]);
    if (!report) return refusal(`There is no coverage report at ${path ?? COVERAGE_PATHS.join(', ')}.`);
    const [covered, lines] = report.files.reduce(
      ([a, b], file) => [a + file.covered, b + file.lines],
      [0, 0],
    );
    const percent = lines === 0 ? 100 : Math.round((covered / lines) * 1_000) / 10;
    const below = report.files
      .filter((file) => file.percent < threshold)
      .toSorted((a, b) => a.percent - b.percent);
    const shown = below.slice(0, 50).map((file) => `${file.percent} % ${file.path}`);
    const summary = `${percent} % of ${count(lines, 'line')} covered`;
    return answer([summary, ...shown].join('\n'), summary, {
      source: report.source,
      percent,
      ok: percent >= threshold,
      covered,
      lines,
      files: report.files.slice(0, 2_000),
      below: below.slice(0, 500),
    });
  },
});
