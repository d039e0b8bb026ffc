import { tell } from '#kit/text';
import type { Language } from '#kit/language';
import { CODE_RULES } from './code-rules.ts';
import { OPERATIONS_RULES } from './operations-rules.ts';
import type { ReviewArea, ReviewRule } from './review-rule.ts';
import { SECURITY_RULES } from './security-rules.ts';
import type { Severity } from '../severity.ts';
import { codeLines, functionsIn, isTestPath, kindOf } from '../source-file.ts';

const RULES: readonly ReviewRule[] = [...SECURITY_RULES, ...OPERATIONS_RULES, ...CODE_RULES];
/** Longer lines are generated. */
const MOST_LINE = 1_000;
const LONG_FUNCTION = 80;
const MANY_BRANCHES = 15;
const DEEP = 5;

export interface ReviewIssue {
  readonly severity: Severity;
  readonly file: string;
  readonly line: number;
  readonly rule: string;
  readonly area: ReviewArea;
  readonly message: string;
  readonly suggestion: string;
  readonly source: 'rule' | 'model';
}

interface ReviewedFile {
  readonly path: string;
  readonly text: string;
  /** The lines that are looked at. Without them, all. */
  readonly lines?: ReadonlySet<number> | undefined;
}

/** What the rules say about the changed lines of a file. */
export function reviewFile(
  { path, text, lines }: ReviewedFile,
  language: Language,
  maxLineLength?: number,
): ReviewIssue[] {
  const kind = kindOf(path);
  const raw = text.split('\n');
  const code = codeLines(text, kind);
  const inTests = isTestPath(path);
  const rules = RULES.filter(
    ({ kinds, notInTests }) => (!kinds || kinds.includes(kind)) && !(notInTests && inTests),
  );
  const found = raw.flatMap((line, at): ReviewIssue[] => {
    if ((lines && !lines.has(at + 1)) || line.length > MOST_LINE) return [];
    const hits = rules.filter(({ on, pattern, unless }) => {
      const seen = on === 'code' ? (code[at] ?? '') : line;
      return pattern.test(seen) && !unless?.test(line);
    });
    const issues = hits.map((hit): ReviewIssue => issueOf(hit, path, at + 1, language));
    return maxLineLength !== undefined && line.length > maxLineLength
      ? [...issues, tooLong(path, at + 1, line.length, maxLineLength, language)]
      : issues;
  });
  return [...found, ...shapeIssues(path, code, lines, language), ...limitIssues(path, raw, lines, language)];
}

const issueOf = (
  { severity, id, area, message, suggestion }: ReviewRule,
  file: string,
  line: number,
  language: Language,
): ReviewIssue => ({
  severity,
  file,
  line,
  rule: id,
  area,
  message: message[language],
  suggestion: suggestion[language],
  source: 'rule',
});

const tooLong = (file: string, line: number, is: number, most: number, language: Language): ReviewIssue => ({
  severity: 'info',
  file,
  line,
  rule: 'line-length',
  area: 'maintainability',
  message: tell(
    `The line has ${is} characters; the project allows ${most}.`,
    `本行 ${is} 个字符,项目上限为 ${most}。`,
  )[language],
  suggestion: tell('Run the formatter.', '运行格式化工具。')[language],
  source: 'rule',
});

/** Functions that have grown too large, where something in them was changed. */
function shapeIssues(
  file: string,
  code: readonly string[],
  lines: ReadonlySet<number> | undefined,
  language: Language,
): ReviewIssue[] {
  // The body of a suite is as long as what it tests.
  if (isTestPath(file)) return [];
  return functionsIn(code, kindOf(file)).flatMap(
    ({ name, start, end, lines: length, complexity, nesting }) => {
      const touched = !lines || [...lines].some((line) => line >= start && line <= end);
      const problems = [
        ...(length > LONG_FUNCTION ? [tell(`${length} lines`, `${length} 行`)] : []),
        ...(complexity > MANY_BRANCHES ? [tell(`${complexity} branches`, `${complexity} 个分支`)] : []),
        ...(nesting > DEEP ? [tell(`nested ${nesting} deep`, `嵌套 ${nesting} 层`)] : []),
      ];
      if (!touched || problems.length === 0) return [];
      const what = problems.map((problem) => problem[language]).join(tell(', ', '、')[language]);
      return [
        {
          severity: length > 2 * LONG_FUNCTION || complexity > 2 * MANY_BRANCHES ? 'medium' : 'low',
          file,
          line: start,
          rule: 'large-function',
          area: 'maintainability',
          message: tell(`${name} is large: ${what}.`, `函数 ${name} 过大:${what}。`)[language],
          suggestion: tell('Take steps with a name of their own out of it.', '把可命名的步骤拆成独立函数。')[
            language
          ],
          source: 'rule',
        },
      ];
    },
  );
}

/** Workloads of Kubernetes that may take a whole node. */
function limitIssues(
  file: string,
  raw: readonly string[],
  lines: ReadonlySet<number> | undefined,
  language: Language,
): ReviewIssue[] {
  if (kindOf(file) !== 'yaml') return [];
  const text = raw.join('\n');
  const at = raw.findIndex((line) => /^\s*containers:\s*$/.test(line));
  const workload = /^kind:\s*(?:Deployment|StatefulSet|DaemonSet|Job|CronJob|Pod)\s*$/m.test(text);
  if (at < 0 || !workload || (lines && lines.size === 0) || /^\s*limits:/m.test(text)) return [];
  return [
    {
      severity: 'medium',
      file,
      line: at + 1,
      rule: 'missing-limits',
      area: 'operations',
      message: tell('No limits: one pod can take the whole node.', '未设置资源上限,单个 Pod 可能占满节点。')[
        language
      ],
      suggestion: tell(
        'Set resources.requests and resources.limits.',
        '设置 resources.requests 和 resources.limits。',
      )[language],
      source: 'rule',
    },
  ];
}
