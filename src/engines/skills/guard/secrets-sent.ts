import { lowered, type Severity, type Sighting } from './rule.ts';
import type { TextLine } from './text-lines.ts';

/** Whose key a variable holds, and the hosts it is meant for. */
const OWNERS: readonly (readonly [name: RegExp, hosts: RegExp])[] = [
  [/^(?:GITHUB|GH)_/, /github/],
  [/^GITLAB_/, /gitlab/],
  [/^AWS_/, /amazonaws|aws\./],
  [/^(?:OPENAI)_/, /openai|azure/],
  [/^ANTHROPIC_/, /anthropic|claude/],
  [/^(?:GOOGLE|GEMINI|GCP|GCLOUD)_/, /google|gcp/],
  [/^AZURE_/, /azure|microsoft|windows\.net/],
  [/^SLACK_/, /slack/],
  [/^(?:HF|HUGGINGFACE|HUGGING_FACE)_/, /huggingface|hf\.(?:co|space)/],
  [/^NPM_/, /npm/],
  [/^(?:DB|DATABASE|POSTGRES|PG|MYSQL|REDIS|MONGO)_?/, /^$/],
  [/^(?:SSH|SUDO|ROOT|HERMES)_/, /^$/],
];

const VARIABLE =
  /\$\{?(?:env:)?([A-Z][A-Z0-9_]{1,60})\}?|os\.environ(?:\.get)?[[(]\s{0,3}["']([A-Z][A-Z0-9_]{1,60})|process\.env\.([A-Z][A-Z0-9_]{1,60})/g;
const SECRET = /KEY|TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|DATABASE_URL|_DSN$|_PAT$/;
const SENDS =
  /\b(?:curl|wget|http|httpie|nc|requests\.\w{3,7}|httpx\.\w{3,7}|urlopen|fetch|axios\.\w{3,7}|Invoke-\w{3,12})\b/i;
const HOST = /\bhttps?:\/\/(?:[^\s/@"']{1,80}@)?([\w.-]{1,200})/gi;
/** Where a key stands when it is shown to the service that it belongs to. */
const HEADER = /(?:authorization|x-[\w-]{1,40}|private-token|api-?key|bearer)["']?\s{0,3}[:=,]/i;
const LOCAL = /^(?:localhost|127\.|0\.0\.0\.0|10\.|192\.168\.)|\.(?:local|internal|svc)$/;

/** What reaches further than one key. */
const MORE =
  /\b(?:env|printenv|set|export -p)\b\s{0,3}(?:\||\))|os\.environ\b(?!\s{0,3}[[.])|\.ssh\/|id_(?:rsa|ed25519)|\.env\b|credentials|\.netrc|\.kube\/|\.pem\b|\/etc\/(?:shadow|passwd)/i;

/** Whether all that a piece of shell sends are keys on their way to the services that they belong to. */
export function sendsOwnKeysOnly(text: string): boolean {
  const hosts = hostsOf(text);
  const names = secretsOf(text);
  if (MORE.test(text) || hosts.length === 0 || names.length === 0) return false;
  return names.every((name) => weigh(name, hosts, HEADER.test(text)) === undefined);
}

const hostsOf = (text: string): string[] =>
  [...text.matchAll(HOST)].map((match) => (match[1] ?? '').toLowerCase()).filter((host) => !LOCAL.test(host));

const secretsOf = (text: string): string[] =>
  [...text.matchAll(VARIABLE)]
    .map((match) => match[1] ?? match[2] ?? match[3] ?? '')
    .filter((name) => SECRET.test(name));

/**
 * A key that goes to its own service is how services are used. One that is known to belong to somebody else, or that
 * stands in an address or a body for nobody in particular, is another matter.
 */
export function secretsSent(lines: readonly TextLine[]): Sighting[] {
  return lines.flatMap((line) => {
    if (!SENDS.test(line.text)) return [];
    const hosts = hostsOf(line.text);
    if (hosts.length === 0) return [];
    const inHeader = HEADER.test(line.text);
    const worst = secretsOf(line.text)
      .map((name) => weigh(name, hosts, inHeader))
      .filter((severity) => severity !== undefined);
    const severity = worst.includes('dangerous') ? 'dangerous' : worst[0];
    if (!severity) return [];
    return [
      {
        line: line.number,
        rule: 'exfiltration.key',
        severity: line.warned ? lowered(severity) : severity,
        text: line.text,
      },
    ];
  });
}

function weigh(name: string, hosts: readonly string[], inHeader: boolean): Severity | undefined {
  const owner = OWNERS.find(([pattern]) => pattern.test(name));
  if (owner) {
    if (hosts.every((host) => owner[1].test(host))) return undefined;
    return inHeader ? 'caution' : 'dangerous';
  }
  if (inHeader) return undefined;
  const stems = name
    .toLowerCase()
    .split('_')
    .filter(
      (stem) =>
        stem.length > 2 &&
        !/^(?:api|key|token|secret|access|auth|password|client|app|private|bot)$/.test(stem),
    );
  return stems.some((stem) => hosts.some((host) => host.includes(stem))) ? undefined : 'notice';
}
