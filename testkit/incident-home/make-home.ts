import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';

/** What stands in the files of a home. Absent parts are left as they are by default. */
export interface HomeContent {
  /** Over the quick settings of this folder: `incidents` of config.yaml. */
  readonly incidents?: Readonly<Record<string, unknown>>;
  /** Further groups of config.yaml. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly services?: readonly object[];
  readonly rules?: readonly unknown[];
  /** What may be carried out without asking. */
  readonly unattended?: readonly object[];
  readonly telemetry?: readonly object[];
  readonly executors?: readonly object[];
  /** users.yaml. */
  readonly users?: readonly object[];
  /** `webhooks` of gateway.yaml. */
  readonly webhooks?: Readonly<Record<string, unknown>>;
  /** Secrets, beside the two tokens of the server. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Somebody who has a token of their own, of which every home here keeps the hash: they can agree to something. */
export const PERSON = { user: 'pat', token: 'token-that-only-pat-has-1' };

/** Somebody for `users.yaml` whose token the home does not hold in clear. */
export const personOf = (user: string, role: string, token: string) => ({
  user,
  role,
  token_sha256: createHash('sha256').update(token).digest('hex'),
});

export interface IncidentHome {
  readonly folder: string;
  /** As the home holds it: with it somebody may do everything but agree. */
  readonly token: string;
  readonly readOnlyToken: string;
  /** All that a process needs to know of its surroundings to serve this home, and nothing of the caller's own. */
  readonly env: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/** Everything that takes minutes in a real house happens within seconds. */
const QUICK = {
  baseline_minutes: 1,
  lead_seconds: 12,
  collect_seconds: 10,
  recheck_seconds: [1],
  most_rounds: 60,
  approval_hours: 1,
  execute: true,
  operations: ['rollback_canary', 'restart_deployment', 'change_config'],
  settle_seconds: 2,
  check_seconds: 1,
  stable_checks: 1,
  most_checks: 20,
};

/** A home in a folder of its own. Its embedder is off: a first start would look for weights. */
export async function makeIncidentHome(content: HomeContent = {}): Promise<IncidentHome> {
  const folder = await mkdtemp(join(tmpdir(), 'incident-home-'));
  const token = 'token-of-the-incident-home-1';
  const readOnlyToken = 'token-that-may-only-look-at-it-1';
  const files = {
    'config.yaml': {
      language: 'en',
      incidents: { ...QUICK, ...content.incidents },
      server: { host: '127.0.0.1', port: 0 },
      memory: { embedder: 'off' },
      ...content.config,
    },
    'incidents.yaml': {
      services: content.services ?? [],
      rules: content.rules ?? [],
      unattended: content.unattended ?? [],
    },
    'backends.yaml': { telemetry: content.telemetry ?? [], executors: content.executors ?? [] },
    'gateway.yaml': { webhooks: content.webhooks ?? {} },
    'users.yaml': [...(content.users ?? []), personOf(PERSON.user, 'approver', PERSON.token)],
  };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [name, value] of Object.entries(files))
    await writeFile(join(folder, name), stringify(value), { mode: 0o600 });
  return {
    folder,
    token,
    readOnlyToken,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      LANG: 'C',
      NO_COLOR: '1',
      HERMES_HOME: folder,
      RUNBOOK_API_TOKEN: token,
      RUNBOOK_API_READ_ONLY_TOKEN: readOnlyToken,
      ...content.env,
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
