import { z } from 'zod';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { type AnalyzedFile, analyzeSource, riskAreas } from './analyze-source.ts';
import { type CoverageReport, readCoverage } from '../project/coverage-reports.ts';
import { Paths, pathsIn } from '../loose.ts';
import { textIfAny } from '../read-text.ts';
import { isTestPath, kindOf } from '../source-file.ts';
import { testNames } from './test-of.ts';
import { answer, count } from '../../text/answer.ts';

const MOST_FILES = 300;
const MOST_BYTES = 1_000_000;

const input = z.strictObject({
  files: Paths.describe('paths; files that are gone are left out'),
  analysis_types: z
    .array(z.enum(['complexity', 'dependencies', 'test_coverage', 'size', 'security']))
    .default(['complexity', 'dependencies', 'test_coverage']),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'analyze_files',
  toolset: 'actions',
  description: 'Complexity, imports and tests of source files, and where the risk is.',
  input,
  deferred: true,
  effect: () => 0,
  footprint: ({ files }) => ({ reads: pathsIn(files) }),
  run: analyze,
});

async function analyze({ files, analysis_types: types }: Input, context: ToolContext): Promise<ToolResult> {
  const paths = pathsIn(files);
  const coverage = types.includes('test_coverage') ? await readCoverage(context.files) : undefined;
  const analyzed: AnalyzedFile[] = [];
  const skipped: string[] = [];
  for (const path of paths.slice(0, MOST_FILES)) {
    context.signal.throwIfAborted();
    const text = await textIfAny(context.files, path, MOST_BYTES);
    if (text === undefined) skipped.push(path);
    else analyzed.push({ ...analyzeSource(path, text), ...(await testsOf(path, types, coverage, context)) });
  }
  skipped.push(...paths.slice(MOST_FILES));
  const areas = riskAreas(analyzed, types);
  const used = new Map<string, number>();
  for (const { imports } of analyzed) for (const name of imports) used.set(name, (used.get(name) ?? 0) + 1);
  const dependencies = [...used]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 100)
    .map(([name, importers]) => ({ name, files: importers }));
  const lines = analyzed.map(
    (file) =>
      `${file.path}: ${count(file.lines, 'line')}, complexity ${file.complexity}${file.has_test === false ? ', no test' : ''}`,
  );
  const risks = areas.map(({ file, area, reason }) => `! ${file} (${area}): ${reason}`);
  return answer(
    [...lines.slice(0, 100), ...risks].join('\n') || 'There is nothing to analyze.',
    `${count(analyzed.length, 'file')}, ${count(areas.length, 'risk')}`,
    {
      files: analyzed,
      risk_areas: areas,
      dependencies,
      skipped,
      total_lines: analyzed.reduce((sum, file) => sum + file.lines, 0),
      max_complexity: Math.max(0, ...analyzed.map((file) => file.complexity)),
      without_tests: analyzed.filter((file) => file.has_test === false).map(({ path }) => path),
    },
  );
}

async function testsOf(
  path: string,
  types: Input['analysis_types'],
  coverage: CoverageReport | undefined,
  { files }: ToolContext,
): Promise<Pick<AnalyzedFile, 'has_test' | 'test_file' | 'coverage'>> {
  const kind = kindOf(path);
  if (!types.includes('test_coverage') || isTestPath(path) || /^(?:docker|yaml|other|sql)$/.test(kind))
    return {};
  const measured = coverage?.files.find((file) => file.path === path)?.percent;
  const found = await firstThere(testNames(path), files);
  // Tests of Rust stand in the file itself.
  const inside = kind === 'rs' && /#\[cfg\(test\)\]/.test((await textIfAny(files, path)) ?? '');
  return {
    has_test: found !== undefined || inside || (measured ?? 0) > 0,
    ...(found === undefined ? {} : { test_file: found }),
    ...(measured === undefined ? {} : { coverage: measured }),
  };
}

async function firstThere(
  names: readonly string[],
  files: ToolContext['files'],
): Promise<string | undefined> {
  for (const name of names) if ((await files.stat(name))?.kind === 'file') return name;
  return undefined;
}
