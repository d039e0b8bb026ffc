import { z } from 'zod';
import { isRecord } from '#kit/is-record';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { callShell, NOT_FOUND } from '../call-shell.ts';
import { jsonOrText, listIn, stringIn } from '../loose.ts';
import { auditTool } from './project-tools.ts';
import { rankOf, SEVERITIES, type Severity, severityOf } from '../severity.ts';
import { answer, count, refusal } from '../../text/answer.ts';
import { asResult } from '../../services/as-result.ts';

const input = z.strictObject({
  path: z.string().min(1).default('.').describe('folder of the project'),
  timeout: z.number().positive().max(600).default(180).describe('seconds'),
});
type Input = z.infer<typeof input>;

interface Advisory {
  readonly severity: Severity;
  readonly name: string;
  readonly version: string;
  readonly id: string;
  readonly fixed: string;
  readonly message: string;
}

export const tool = defineTool<Input>({
  name: 'dependency_audit',
  toolset: 'actions',
  description:
    'Known vulnerabilities of what a project depends on: npm audit, pip-audit, cargo audit, govulncheck.',
  input,
  deferred: true,
  effect: () => 2,
  footprint: () => undefined,
  run: (asked, context) => asResult(() => audit(asked, context)),
});

async function audit({ path, timeout }: Input, context: ToolContext): Promise<ToolResult> {
  const found = await auditTool(context.files, path);
  if (!found) return refusal(`${path} has no lockfile or manifest that can be audited.`);
  const end = await callShell({ words: found.words, cwd: path, timeoutS: timeout }, context);
  if (end.code === NOT_FOUND) return refusal(`${found.words[0]} is not installed where commands run.`);
  const json = jsonOrText(end.stdout);
  const all = isRecord(json) || Array.isArray(json) ? advisoriesIn(json) : govulncheck(end.stdout);
  // They end with a code other than 0 when there is something; then there is also something to read.
  if (all.length === 0 && (end.code !== 0 || (isRecord(json) && isRecord(json.error))))
    return refusal(
      `${found.name} could not tell.\n${(end.stderr || end.stdout).slice(-1_500)}${end.hint ? `\n[${end.hint}]` : ''}`,
    );
  const issues = all.toSorted((a, b) => rankOf(a.severity) - rankOf(b.severity)).slice(0, 500);
  const counts = Object.fromEntries(
    SEVERITIES.map((severity) => [severity, issues.filter((one) => one.severity === severity).length]),
  );
  const lines = issues
    .slice(0, 100)
    .map((one) => `[${one.severity}] ${one.name} ${one.version} ${one.id}: ${one.message}`);
  const summary = `${count(issues.length, 'advisory', 'advisories')} (${found.name})`;
  return answer([summary, ...lines].join('\n'), summary, {
    tool: found.name,
    issues,
    count: issues.length,
    counts,
    has_critical: (counts.critical ?? 0) > 0,
    fixable: issues.filter(({ fixed }) => fixed !== '').length,
  });
}

function advisoriesIn(json: unknown): Advisory[] {
  if (isRecord(json) && isRecord(json.vulnerabilities) && !('list' in json.vulnerabilities))
    return npmAdvisories(json.vulnerabilities);
  if (isRecord(json) && isRecord(json.vulnerabilities)) return cargoAdvisories(json.vulnerabilities);
  return listIn(json, 'dependencies').flatMap((dependency) =>
    listIn(dependency, 'vulns').map((vulnerability) => ({
      // pip-audit does not grade.
      severity: 'high' as const,
      name: stringIn(dependency, 'name') ?? '',
      version: stringIn(dependency, 'version') ?? '',
      id: stringIn(vulnerability, 'id') ?? '',
      fixed: listIn(vulnerability, 'fix_versions').join(', '),
      message: (stringIn(vulnerability, 'description') ?? '').slice(0, 300),
    })),
  );
}

const npmAdvisories = (vulnerabilities: Record<string, unknown>): Advisory[] =>
  Object.entries(vulnerabilities).map(([name, entry]) => {
    const via = listIn(entry, 'via').find(isRecord);
    const fix = isRecord(entry) ? entry.fixAvailable : undefined;
    return {
      severity: severityOf(stringIn(entry, 'severity')),
      name,
      version: stringIn(entry, 'range') ?? '',
      id: stringIn(via, 'url')?.split('/').at(-1) ?? '',
      fixed: isRecord(fix)
        ? `${stringIn(fix, 'name') ?? name} ${stringIn(fix, 'version') ?? ''}`.trim()
        : fix === true
          ? 'npm audit fix'
          : '',
      message:
        stringIn(via, 'title') ??
        `through ${listIn(entry, 'via')
          .filter((word) => typeof word === 'string')
          .join(', ')}`,
    };
  });

const cargoAdvisories = (vulnerabilities: Record<string, unknown>): Advisory[] =>
  listIn(vulnerabilities.list)
    .filter(isRecord)
    .map(({ advisory, package: crate, versions }) => ({
      severity: 'high',
      name: stringIn(crate, 'name') ?? '',
      version: stringIn(crate, 'version') ?? '',
      id: stringIn(advisory, 'id') ?? '',
      fixed: listIn(isRecord(versions) ? versions.patched : []).join(', '),
      message: stringIn(advisory, 'title') ?? '',
    }));

/** A stream of JSON values, of which the findings name an advisory and a trace. */
function govulncheck(output: string): Advisory[] {
  const findings = [
    ...output.matchAll(
      /"finding":\s*\{\s*"osv":\s*"([^"]+)"(?:,\s*"fixed_version":\s*"([^"]*)")?[\s\S]*?"module":\s*"([^"]+)"(?:,\s*"version":\s*"([^"]*)")?/g,
    ),
  ];
  const byId = new Map(
    findings.map(([, id = '', fixed = '', name = '', version = '']) => [id, { id, fixed, name, version }]),
  );
  return [...byId.values()].map((finding) => ({
    ...finding,
    severity: 'high',
    message: 'see the Go vulnerability database',
  }));
}
