import { tell } from '#kit/text';
import { z } from 'zod';
import { dropHidden } from '#kit/hidden-characters';
import type { Language } from '#kit/language';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { askForJson } from '../ask-for-json.ts';
import {
  changedLines,
  differenceEnvironment,
  differenceLine,
  Revision,
  splitDifference,
} from '../git/git-difference.ts';
import { numberIn, Paths, pathsIn } from '../loose.ts';
import { textIfAny } from '../read-text.ts';
import { type ReviewIssue, reviewFile } from './review-file.ts';
import { positivesOf } from './review-positives.ts';
import { runLine } from '../run-line.ts';
import { languageFor, LanguageChoice } from '../said.ts';
import { rankOf, SEVERITIES, severityName, worst } from '../severity.ts';
import { isRecord } from '#kit/is-record';
import { answer, count } from '../../text/answer.ts';

const MOST_FILES = 200;
const MOST_BYTES = 1_000_000;
const MOST_ISSUES = 300;
const MOST_OF_MODEL = 20;

const input = z.strictObject({
  files: Paths.describe('paths'),
  focus_areas: z.unknown().optional().describe('where to look first: words, or risk_areas of analyze_files'),
  project_conventions: z.unknown().optional().describe('of fetch_conventions, or text'),
  target: Revision.default('main').describe('only lines that changed against it'),
  scope: z.enum(['changed', 'all']).default('changed').describe('all: whole files'),
  min_severity: z.enum(SEVERITIES).default('info'),
  language: LanguageChoice,
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'review_code',
  toolset: 'actions',
  description:
    'Review changed lines of source files by rules (security, errors, tests, operations), and by a model where there is one.',
  input,
  deferred: true,
  effect: () => 0,
  footprint: ({ files }) => ({ reads: pathsIn(files) }),
  deed: (asked) => (asked.scope === 'all' ? {} : { command: { text: lineOf(asked) } }),
  run: review,
});

const lineOf = ({ target, files }: Input): string =>
  differenceLine(
    target,
    ['--unified=0', '--no-renames', '--src-prefix=a/', '--dst-prefix=b/'],
    pathsIn(files).slice(0, MOST_FILES),
  );

async function review(asked: Input, context: ToolContext): Promise<ToolResult> {
  const language = languageFor(asked.language ?? context.language, asked.project_conventions);
  const difference = asked.scope === 'all' ? '' : await differenceOf(asked, context);
  const changed = changedLines(difference);
  const maxLine = isRecord(asked.project_conventions)
    ? numberIn(asked.project_conventions.rules, 'max_line_length')
    : undefined;
  const reviewed: string[] = [];
  const byRules: ReviewIssue[] = [];
  for (const path of pathsIn(asked.files).slice(0, MOST_FILES)) {
    context.signal.throwIfAborted();
    const text = await textIfAny(context.files, path, MOST_BYTES);
    if (text === undefined) continue;
    reviewed.push(path);
    // A file that git does not compare is new, or there is no repository: all of it counts.
    byRules.push(...reviewFile({ path, text, lines: changed.get(path) }, language, maxLine));
  }
  const byModel = await modelIssues(asked, difference, changed, reviewed, language, context);
  const focus = focusOf(asked.focus_areas);
  const all = ordered([...byRules, ...byModel], focus).filter(
    ({ severity }) => rankOf(severity) <= rankOf(asked.min_severity),
  );
  return report(all, reviewed, asked, byModel.length, language);
}

/** Empty where there is no repository, or nothing to compare with. */
async function differenceOf(asked: Input, context: ToolContext): Promise<string> {
  const env = differenceEnvironment(context);
  const end = await runLine(lineOf(asked), { timeoutS: 60, env }, context);
  return end.code === 0 ? splitDifference(end.stdout).difference : '';
}

const ModelIssues = z.array(
  z.object({
    severity: z.enum(SEVERITIES),
    file: z.string(),
    line: z.int().min(1),
    message: z.string().min(1).max(400),
    suggestion: z.string().max(400).default(''),
  }),
);

/** What a model finds in the difference. Only what points at a line that was changed is taken. */
async function modelIssues(
  { focus_areas, project_conventions }: Input,
  difference: string,
  changed: ReadonlyMap<string, ReadonlySet<number>>,
  reviewed: readonly string[],
  language: Language,
  context: ToolContext,
): Promise<ReviewIssue[]> {
  if (difference.trim() === '') return [];
  const question = [
    'Review this difference for mistakes that rules cannot see: wrong logic, missing cases, races, leaks.',
    'Give a list [{"severity":"critical|high|medium|low","file","line" (in the new file),"message","suggestion"}], at most ten, empty when there is none.',
    tell('', 'Write message and suggestion in Chinese.')[language],
  ].join(' ');
  const material = [
    `Focus: ${JSON.stringify(focus_areas ?? []).slice(0, 2_000)}`,
    `Conventions: ${JSON.stringify(project_conventions ?? []).slice(0, 4_000)}`,
    difference,
  ].join('\n');
  const found = await askForJson(question, material, ModelIssues, context);
  return (found ?? [])
    .filter(({ file, line }) => reviewed.includes(file) && changed.get(file)?.has(line))
    .slice(0, MOST_OF_MODEL)
    .map((issue) => ({
      ...issue,
      message: dropHidden(issue.message),
      suggestion: dropHidden(issue.suggestion),
      rule: 'model',
      area: 'correctness',
      source: 'model',
    }));
}

/** Words or files that come first among findings of the same severity. */
function focusOf(given: unknown): readonly string[] {
  const list = Array.isArray(given) ? given : given === undefined || given === null ? [] : [given];
  return list.flatMap((entry: unknown) =>
    isRecord(entry)
      ? [entry.file, entry.area].filter((word) => typeof word === 'string')
      : typeof entry === 'string'
        ? [entry.toLowerCase()]
        : [],
  );
}

function ordered(issues: readonly ReviewIssue[], focus: readonly string[]): ReviewIssue[] {
  const inFocus = ({ file, area }: ReviewIssue) => (focus.includes(file) || focus.includes(area) ? 0 : 1);
  return issues
    .toSorted(
      (a, b) =>
        rankOf(a.severity) - rankOf(b.severity) ||
        inFocus(a) - inFocus(b) ||
        a.file.localeCompare(b.file) ||
        a.line - b.line,
    )
    .slice(0, MOST_ISSUES);
}

function report(
  issues: readonly ReviewIssue[],
  reviewed: readonly string[],
  { files }: Input,
  byModel: number,
  language: Language,
): ToolResult {
  const level = worst(issues);
  const counts = Object.fromEntries(
    SEVERITIES.map((severity) => [severity, issues.filter((issue) => issue.severity === severity).length]),
  );
  const positives = positivesOf(pathsIn(files), issues, language);
  const lines = issues.map(
    ({ severity, file, line, message, source }) =>
      `[${severity}] ${file}:${line} ${message}${source === 'model' ? ' (by the model)' : ''}`,
  );
  const summary = `${count(issues.length, 'issue')} in ${count(reviewed.length, 'file')}, risk ${level}`;
  return answer([summary, ...lines.slice(0, 150)].join('\n'), summary, {
    issues,
    positives,
    risk_level: level === 'info' || level === 'none' ? 'low' : level,
    risk_name: severityName(level === 'info' || level === 'none' ? 'low' : level, language),
    counts,
    issue_count: issues.length,
    files_reviewed: reviewed,
    by_model: byModel,
  });
}
