import type { WorkflowStep } from '../file/workflow.ts';

/** What the words of a failure tell about it. The first that fits comes first. */
const SIGNS: readonly (readonly [string, RegExp])[] = [
  [
    'port_conflict',
    /address already in use|EADDRINUSE|port is already allocated|ports? (?:are|is) not available/i,
  ],
  ['disk_full', /no space left on device|ENOSPC|disk quota exceeded/i],
  ['out_of_memory', /out of memory|OOMKilled|ENOMEM|cannot allocate memory/i],
  [
    'missing_command',
    /command not found|^\S*sh: .*: not found$|is not recognized as|ENOENT.*spawn|exit code 127/im,
  ],
  [
    'auth_failure',
    /\b401\b|unauthorized|authentication (?:failed|required)|invalid (?:credentials|token|password)/i,
  ],
  ['permission_denied', /permission denied|EACCES|EPERM|\b403\b|forbidden|operation not permitted/i],
  ['rate_limited', /\b429\b|rate limit|too many requests/i],
  [
    'network_error',
    /ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|could not resolve host|network is unreachable|connection (?:refused|reset|timed out)/i,
  ],
  ['not_found', /\b404\b|no such file or directory|not found|does not exist/i],
  ['conflict', /merge conflict|CONFLICT \(|already exists/],
];

const BUILD =
  /\b(?:docker|podman|buildah)\s+(?:buildx\s+)?build\b|\b(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?build\b|\b(?:make|cargo build|go build|mvn|gradle)\b/;
const TEST = /\b(?:npm|pnpm|yarn)\s+(?:run\s+)?test\b|\b(?:pytest|vitest|jest|cargo test|go test)\b/;

/** The kinds that a failure is of, the most telling first. `failed` is always among them. */
export function failureKinds(step: WorkflowStep, message: string): readonly string[] {
  const told = SIGNS.filter(([, sign]) => sign.test(message)).map(([kind]) => kind);
  const [first = '', ...others] = told;
  const work = workOf(step);
  // A port that is taken says more than that a command failed; that it was a build says more than a missing file.
  const ordered = ['port_conflict', 'disk_full', 'out_of_memory', 'missing_command'].includes(first)
    ? [first, ...work, ...others]
    : [...work, first, ...others];
  return [...new Set([...ordered, ...(step.command ? ['command_failed'] : []), 'failed'])].filter(Boolean);
}

function workOf({ action, command = '' }: WorkflowStep): readonly string[] {
  if (BUILD.test(command) || /(?:^|_)build(?:_|$)/.test(action)) return ['build_failure'];
  return TEST.test(command) || /^test_|_test$/.test(action) ? ['test_failure'] : [];
}
