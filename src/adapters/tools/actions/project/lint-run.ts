import { z } from 'zod';
import { isRecord } from '#kit/is-record';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { callShell, NOT_FOUND } from '../call-shell.ts';
import { jsonOrText, listIn, numberIn, stringIn } from '../loose.ts';
import { lintTool } from './project-tools.ts';
import type { Severity } from '../severity.ts';
import { answer, count, refusal } from '../../text/answer.ts';
import { asResult } from '../../services/as-result.ts';

const MOST_ISSUES = 500;

const input = z.strictObject({
  path: z.string().min(1).default('.').describe('folder of the project'),
  timeout: z.number().positive().max(600).default(300).describe('seconds'),
});
type Input = z.infer<typeof input>;

interface LintIssue {
  readonly severity: Severity;
  readonly file: string;
  readonly line: number;
  readonly rule: string;
  readonly message: string;
}

export const tool = defineTool<Input>({
  name: 'lint_run',
  toolset: 'actions',
  description:
    'Run the linter of a project (eslint, ruff, go vet, clippy, npm run lint) and give its findings.',
  input,
  deferred: true,
  effect: () => 2,
  footprint: () => undefined,
  run: (asked, context) => asResult(() => lint(asked, context)),
});

async function lint({ path, timeout }: Input, context: ToolContext): Promise<ToolResult> {
  const found = await lintTool(context.files, path);
  if (!found) return refusal(`No linter is set up in ${path}.`);
  const end = await callShell({ words: found.words, cwd: path, timeoutS: timeout }, context);
  if (end.code === NOT_FOUND) return refusal(`${found.words[0]} is not installed where commands run.`);
  const json = jsonOrText(end.stdout);
  const all = Array.isArray(json)
    ? fromJson(json, context.files.root)
    : fromLines(`${end.stdout}\n${end.stderr}`);
  if (all.length === 0 && end.code !== 0)
    return refusal(`${found.name} failed.\n${(end.stderr || end.stdout).slice(-2_000)}`);
  const issues = all.slice(0, MOST_ISSUES);
  const errors = issues.filter(({ severity }) => severity === 'high').length;
  const lines = issues
    .slice(0, 100)
    .map((issue) => `${issue.file}:${issue.line} ${issue.rule} ${issue.message}`);
  const summary = `${count(issues.length, 'finding')} by ${found.name}`;
  return answer([summary, ...lines].join('\n'), summary, {
    linter: found.name,
    issues,
    count: all.length,
    errors,
    warnings: issues.length - errors,
    success: end.code === 0,
    ms: end.ms,
  });
}

/** Eslint has `[{filePath, messages}]`, ruff `[{filename, location, code, message}]`. */
function fromJson(list: readonly unknown[], root: string): LintIssue[] {
  const short = (path: string) => (path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path);
  return list.flatMap((entry): LintIssue[] => {
    const file = stringIn(entry, 'filePath');
    if (file !== undefined)
      return listIn(entry, 'messages').map((message) => ({
        severity: numberIn(message, 'severity') === 2 ? 'high' : 'low',
        file: short(file),
        line: numberIn(message, 'line') ?? 1,
        rule: stringIn(message, 'ruleId') ?? '',
        message: (stringIn(message, 'message') ?? '').slice(0, 300),
      }));
    const name = stringIn(entry, 'filename');
    if (name === undefined || !isRecord(entry)) return [];
    const rule = stringIn(entry, 'code') ?? '';
    const severity = /^(?:E9|F|S)/.test(rule) ? 'high' : 'low';
    return [
      {
        severity,
        file: short(name),
        line: numberIn(entry.location, 'row') ?? 1,
        rule,
        message: (stringIn(entry, 'message') ?? '').slice(0, 300),
      },
    ];
  });
}

/** `path:line:column: message`, as compilers write it. */
function fromLines(output: string): LintIssue[] {
  return [
    ...output.matchAll(
      /^\s*([^\s:][^:\n]{0,300}):(\d+)(?::\d+)?:?\s+(?:(error|warning)(?:\[[\w:]+\])?:?\s+)?(.{1,300})$/gm,
    ),
  ].map(([, file = '', line, level, message = '']) => ({
    severity: level === 'warning' ? ('low' as const) : ('high' as const),
    file,
    line: Number(line),
    rule: '',
    message,
  }));
}
