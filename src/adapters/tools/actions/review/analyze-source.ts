import { reviewFile } from './review-file.ts';
import { codeLines, functionsIn, importsOf, kindOf, type SourceKind } from '../source-file.ts';

export interface AnalyzedFile {
  readonly path: string;
  readonly language: SourceKind;
  readonly lines: number;
  readonly code_lines: number;
  readonly comment_lines: number;
  readonly functions: number;
  readonly longest_function:
    | { readonly name: string; readonly line: number; readonly lines: number }
    | undefined;
  /** Of the whole file: one, and one more for each branch. */
  readonly complexity: number;
  readonly max_function_complexity: number;
  readonly max_nesting: number;
  readonly imports: readonly string[];
  /** Serious findings of the rules about security. */
  readonly security_findings: number;
  readonly has_test?: boolean;
  readonly test_file?: string;
  readonly coverage?: number;
}

interface RiskArea {
  readonly file: string;
  readonly area: 'complexity' | 'dependencies' | 'tests' | 'size' | 'security';
  readonly reason: string;
}

export function analyzeSource(path: string, text: string): AnalyzedFile {
  const language = kindOf(path);
  const raw = text.split('\n');
  if (raw.at(-1) === '') raw.pop();
  const code = codeLines(text, language).slice(0, raw.length);
  const functions = functionsIn(code, language);
  const longest = functions.toSorted((a, b) => b.lines - a.lines)[0];
  const filled = raw.filter((line) => line.trim() !== '').length;
  const withCode = code.filter((line) => line.trim() !== '').length;
  return {
    path,
    language,
    lines: raw.length,
    code_lines: withCode,
    comment_lines: filled - withCode,
    functions: functions.length,
    longest_function: longest && { name: longest.name, line: longest.start, lines: longest.lines },
    complexity: 1 + functions.reduce((sum, { complexity }) => sum + complexity - 1, 0),
    max_function_complexity: Math.max(0, ...functions.map(({ complexity }) => complexity)),
    max_nesting: Math.max(0, ...functions.map(({ nesting }) => nesting)),
    imports: importsOf(text, language),
    security_findings: reviewFile({ path, text }, 'en').filter(
      ({ area, severity }) => area === 'security' && (severity === 'critical' || severity === 'high'),
    ).length,
  };
}

/** Where to look first, with the reason. */
export function riskAreas(files: readonly AnalyzedFile[], types: readonly string[]): RiskArea[] {
  return files.flatMap((file) => {
    const found: RiskArea[] = [];
    const add = (area: RiskArea['area'], reason: string) => found.push({ file: file.path, area, reason });
    if (file.security_findings > 0) add('security', `${file.security_findings} serious findings`);
    if (types.includes('complexity')) {
      if (file.max_function_complexity > 15)
        add('complexity', `a function has ${file.max_function_complexity} branches`);
      if (file.max_nesting > 5) add('complexity', `code is nested ${file.max_nesting} deep`);
      if ((file.longest_function?.lines ?? 0) > 80)
        add('complexity', `${file.longest_function?.name} has ${file.longest_function?.lines} lines`);
    }
    if (file.lines > 800) add('size', `the file has ${file.lines} lines`);
    if (types.includes('dependencies') && file.imports.length > 25)
      add('dependencies', `it imports ${file.imports.length} modules`);
    if (file.has_test === false && file.functions > 0) add('tests', 'no test was found for it');
    else if (file.coverage !== undefined && file.coverage < 50)
      add('tests', `tests cover ${file.coverage} %`);
    return found;
  });
}
