import { z } from 'zod';
import { AppError } from '#kit/app-error';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { callShell, NOT_FOUND } from '../call-shell.ts';
import { jsonOrText, listIn, stringIn } from '../loose.ts';
import { rankOf, severityOf, SEVERITIES } from '../severity.ts';
import { isRecord } from '#kit/is-record';
import { answer, count, refusal } from '../../text/answer.ts';

const input = z.strictObject({
  image: z
    .string()
    .max(300)
    .regex(/^[\w][\w./:@-]*$/, 'a name of an image'),
  min_severity: z.enum(SEVERITIES).default('low'),
  timeout: z.number().positive().max(600).default(300),
});
type Input = z.infer<typeof input>;

interface Vulnerability {
  readonly id: string;
  readonly severity: string;
  readonly package: string;
  readonly version: string;
  readonly fixed: string;
  readonly message: string;
}

export const tool = defineTool<Input>({
  name: 'docker_scan',
  toolset: 'actions',
  description: 'Known vulnerabilities of an image, by trivy or grype, whichever is there.',
  input,
  deferred: true,
  effect: () => 2,
  footprint: () => undefined,
  run: scan,
});

async function scan({ image, min_severity, timeout }: Input, context: ToolContext): Promise<ToolResult> {
  const scanners = [
    ['trivy', 'image', '--quiet', '--format', 'json', image],
    ['grype', '-q', '-o', 'json', image],
  ] as const;
  const notes: string[] = [];
  for (const words of scanners) {
    try {
      const end = await callShell({ words, timeoutS: timeout }, context);
      const json = jsonOrText(end.stdout);
      if (end.code !== NOT_FOUND && isRecord(json)) return report(image, words[0], found(json), min_severity);
      notes.push(
        end.code === NOT_FOUND ? `${words[0]} is not installed` : `${words[0]}: ${end.stderr.slice(-200)}`,
      );
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      notes.push(error.message);
    }
  }
  return refusal(
    `${image} could not be scanned: ${notes.join('; ')}. Install trivy or grype where commands run.`,
  );
}

/** Trivy has `Results[].Vulnerabilities[]`, grype `matches[]`. */
function found(json: Record<string, unknown>): Vulnerability[] {
  const trivy = listIn(json.Results).flatMap((result) =>
    listIn(isRecord(result) ? result.Vulnerabilities : []),
  );
  const fromTrivy = trivy.map((entry) => ({
    id: stringIn(entry, 'VulnerabilityID') ?? '',
    severity: severityOf(stringIn(entry, 'Severity')),
    package: stringIn(entry, 'PkgName') ?? '',
    version: stringIn(entry, 'InstalledVersion') ?? '',
    fixed: stringIn(entry, 'FixedVersion') ?? '',
    message: (stringIn(entry, 'Title') ?? '').slice(0, 200),
  }));
  const fromGrype = listIn(json.matches)
    .filter(isRecord)
    .map(({ vulnerability, artifact }) => ({
      id: stringIn(vulnerability, 'id') ?? '',
      severity: severityOf(stringIn(vulnerability, 'severity')),
      package: stringIn(artifact, 'name') ?? '',
      version: stringIn(artifact, 'version') ?? '',
      fixed: listIn(
        isRecord(vulnerability) && isRecord(vulnerability.fix) ? vulnerability.fix.versions : [],
      ).join(', '),
      message: (stringIn(vulnerability, 'description') ?? '').slice(0, 200),
    }));
  return [...fromTrivy, ...fromGrype];
}

function report(
  image: string,
  scanner: string,
  all: readonly Vulnerability[],
  least: Input['min_severity'],
): ToolResult {
  const issues = all
    .filter(({ severity }) => rankOf(severity) <= rankOf(least))
    .toSorted((a, b) => rankOf(a.severity) - rankOf(b.severity));
  const counts = Object.fromEntries(
    SEVERITIES.map((severity) => [severity, issues.filter((issue) => issue.severity === severity).length]),
  );
  const lines = issues
    .slice(0, 100)
    .map(
      (one) =>
        `[${one.severity}] ${one.id} ${one.package} ${one.version}${one.fixed ? ` → ${one.fixed}` : ''}`,
    );
  const summary = `${count(issues.length, 'vulnerability', 'vulnerabilities')} in ${image} (${scanner})`;
  return answer([summary, ...lines].join('\n'), summary, {
    image,
    scanner,
    issues: issues.slice(0, 500),
    count: issues.length,
    counts,
    has_critical: (counts.critical ?? 0) > 0,
    fixable: issues.filter(({ fixed }) => fixed !== '').length,
  });
}
