import { executorKinds, guardExecutor, openExecutors } from '#adapters/executors';
import { openTelemetry, telemetryKinds } from '#adapters/telemetry';
import { AppError, fail } from '#kit/app-error';
import { isRecord } from '#kit/is-record';
import type { ServiceState } from '#spec/data';
import { openHomeYaml } from '../config/home-yaml.ts';
import { atItsPlace, chooseExecutors, telemetryFromEnv } from '#config';
import type { IncidentBackends } from '#app/incidents';
import type { Host } from '../open-host.ts';

export async function openIncidentBackends({
  home,
  loaded,
}: Pick<Host, 'home' | 'loaded'>): Promise<IncidentBackends> {
  const { env, config } = loaded;
  const key = (name: string): string | undefined => env[name];
  const place = { key, now: Date.now, folder: home.dir('telemetry') };
  const path = home.file('backends.yaml');
  const yaml = await openHomeYaml(path);
  const file = yaml?.data;
  const told = telemetryFromEnv(env);
  const entries = [...listIn(file, 'telemetry'), ...told.entries];
  const embedded = entries.some((entry) => isRecord(entry) && entry['type'] === 'embedded')
    ? []
    : [{ type: 'embedded', max_age_hours: config.incidents.retain_hours }];
  const telemetry = await atItsPlace(path, yaml, () => openTelemetry([...entries, ...embedded], place));
  const chosen = chooseExecutors(env, listIn(file, 'executors'), executorKinds);
  const opened = await atItsPlace(path, yaml, () => openExecutors(chosen.entries, place));
  const allowed = { operations: config.incidents.operations };
  const executors = opened.executors.map((executor) => guardExecutor(executor, allowed));
  return {
    sources: telemetry.sources,
    executors,
    listed: [
      ...[...telemetry.listed, ...told.lacking].map((one) => ({ ...one, part: 'telemetry' as const })),
      ...[...opened.listed, ...chosen.lacking].map((one) => ({ ...one, part: 'executors' as const })),
    ],
    kinds: { telemetry: telemetryKinds, executors: executorKinds },
    running: async (signal) => {
      const known = await Promise.all(
        executors.map(async ({ running }) => running?.(signal).catch(nothingFrom)),
      );
      return Object.assign({}, ...known) as Readonly<Record<string, ServiceState>>;
    },
    close: telemetry.close,
  };
}

/** An executor that cannot be asked tells nothing; whoever has it act says why. */
function nothingFrom(thrown: unknown): undefined {
  if (!(thrown instanceof AppError)) throw thrown;
  return undefined;
}

/** A list of `backends.yaml`. */
function listIn(file: unknown, what: 'telemetry' | 'executors'): readonly unknown[] {
  const list = isRecord(file) ? (file[what] ?? []) : [];
  if (!Array.isArray(list)) throw fail('config.invalid', `backends.yaml: '${what}' must be a list.`);
  return list as unknown[];
}
