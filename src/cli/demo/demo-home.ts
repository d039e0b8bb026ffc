import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { OPERATIONS } from '#spec/data';
import { changesSomething } from '#spec/data/operations';

/** How quickly everything happens in the demo: seconds instead of minutes. */
const INCIDENTS = {
  baseline_minutes: 2,
  lead_seconds: 8,
  collect_seconds: 8,
  recheck_seconds: [4, 4, 5, 6, 8, 10],
  most_rounds: 40,
  approval_hours: 2,
  execute: true,
  operations: OPERATIONS.filter(changesSomething),
  settle_seconds: 7,
  check_seconds: 3,
  stable_checks: 2,
  most_checks: 14,
  retain_hours: 2,
};

const SERVICES = [
  {
    service: 'payment-service',
    owner: 'payments team',
    dependencies: ['order-service', 'coupon-service'],
    signals: ['errors_503_per_second', 'latency_p95_ms'],
  },
  { service: 'order-service', owner: 'orders team', dependencies: [] },
  { service: 'coupon-service', owner: 'growth team', dependencies: [] },
];

const RULES = [
  'Rolling back payment-service in production needs an approval',
  'When coupon-service times out, degrade it rather than roll back payment-service',
];

/** Writes the home that the demo runs in: who watches, its services, its rules, and where their state is. */
export async function writeDemoHome(
  folder: string,
  token: string,
  registry: string,
  prometheus: string | undefined,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const files = {
    'config.yaml': { incidents: INCIDENTS, server: { port: 0 }, learning: { enabled: true } },
    'users.yaml': [
      { user: 'you', role: 'admin', token_sha256: createHash('sha256').update(token).digest('hex') },
    ],
    'incidents.yaml': { services: SERVICES, rules: RULES },
    'backends.yaml': {
      telemetry: [
        ...(prometheus ? [{ type: 'prometheus', base_url: prometheus }] : []),
        { type: 'json_file', path: registry },
      ],
      executors: [{ type: 'demo_file', state_file: registry }],
    },
  };
  for (const [name, content] of Object.entries(files))
    await writeFile(join(folder, name), stringify(content), { mode: 0o600 });
}
