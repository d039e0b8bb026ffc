import { readFile } from 'node:fs/promises';
import { guardExecutor, type ListedKind, openExecutors, openTelemetry } from '#adapters/backends';
import { DeployRegistry } from '#kit/deploy-registry';
import { isRecord } from '#kit/is-record';
import type { Executor, TelemetrySources } from '#spec/ports';
import type { Host } from '../open-host.ts';
import { executorsFromEnv, telemetryFromEnv } from './backends-from-env.ts';
import { readYamlFile } from './incident-file.ts';

type Running = Readonly<
  Record<
    string,
    {
      readonly replicas?: number;
      readonly config?: Readonly<Record<string, string | number | boolean>>;
      readonly active?: string;
    }
  >
>;

/** Where evidence comes from, and what carries actions out. */
export interface IncidentBackends {
  readonly sources: readonly TelemetrySources[];
  /** Behind the allow-list of operations. */
  readonly executors: readonly Executor[];
  readonly listed: readonly (ListedKind & { readonly part: 'telemetry' | 'executors' })[];
  /** How services run at present, as far as a file tells it. */
  running(): Promise<Running>;
  close(): Promise<void>;
}

export async function openIncidentBackends({ home, loaded }: Host): Promise<IncidentBackends> {
  const { env, config } = loaded;
  const key = (name: string): string | undefined => env[name];
  const place = { key, now: Date.now, folder: home.dir('telemetry') };
  const file = await readYamlFile(home.file('backends.yaml'));
  const given = isRecord(file) ? file : {};
  const listed = (what: string): unknown[] => {
    const list = given[what];
    return Array.isArray(list) ? (list as unknown[]) : [];
  };
  const entries = [...listed('telemetry'), ...telemetryFromEnv(env)];
  const embedded = entries.some((entry) => isRecord(entry) && entry['type'] === 'embedded')
    ? []
    : [{ type: 'embedded', max_age_hours: config.incidents.retain_hours }];
  const telemetry = await openTelemetry([...entries, ...embedded], place);
  const orders = [...listed('executors'), ...executorsFromEnv(env)];
  const opened = await openExecutors(orders, place);
  const allowed = { operations: config.incidents.operations };
  return {
    sources: telemetry.sources,
    executors: opened.executors.map((executor) => guardExecutor(executor, allowed)),
    listed: [
      ...telemetry.listed.map((one) => ({ ...one, part: 'telemetry' as const })),
      ...opened.listed.map((one) => ({ ...one, part: 'executors' as const })),
    ],
    running: async () => {
      const paths = orders.flatMap((entry) =>
        isRecord(entry) && typeof entry['state_file'] === 'string' ? [entry['state_file']] : [],
      );
      const read = await Promise.all(paths.map(runningIn));
      return Object.assign({}, ...read) as Running;
    },
    close: telemetry.close,
  };
}

/** A file that cannot be read tells nothing; whoever writes to it says why. */
async function runningIn(path: string): Promise<Running> {
  try {
    return DeployRegistry.parse(JSON.parse(await readFile(path, 'utf8'))).services;
  } catch {
    return {};
  }
}
