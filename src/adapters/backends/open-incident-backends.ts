import type {
  AlertSource,
  Executor,
  ExecutorKind,
  ExecutorPlace,
  Missing,
  OpenedTelemetry,
  Probeable,
  TelemetryKind,
  TelemetryPlace,
  TelemetrySources,
} from '#spec/ports';
import { alerts } from './alerts.gen.ts';
import { executors } from './executors.gen.ts';
import { type KindEntry, parseKinds } from './parse-kinds.ts';
import { telemetry } from './telemetry.gen.ts';

export interface ListedKind {
  readonly name: string;
  readonly type: string;
  readonly missing?: Missing;
  /** Of those that lack nothing. */
  readonly probe?: Probeable['probe'];
}

export interface OpenTelemetry {
  readonly sources: readonly TelemetrySources[];
  /** All that are configured, and why some cannot work. */
  readonly listed: readonly ListedKind[];
  close(): Promise<void>;
}

/** Opens what `telemetry:` of `backends.yaml` lists. What lacks something is listed and left out. */
export async function openTelemetry(list: unknown, place: TelemetryPlace): Promise<OpenTelemetry> {
  const manifest = telemetry as unknown as Readonly<Record<string, () => Promise<TelemetryKind>>>;
  const entries = await parseKinds(list, 'telemetry', manifest);
  const opened: OpenedTelemetry[] = [];
  const close = async () => void (await Promise.allSettled(opened.map((one) => one.close())));
  const listed = await openEach(entries, place, async (kind, settings) => {
    const one = await kind.open(settings, place);
    opened.push(one);
    return one;
  }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return { sources: opened, listed, close };
}

export interface OpenExecutors {
  readonly executors: readonly Executor[];
  readonly listed: readonly ListedKind[];
}

/** Opens what `executors:` of `backends.yaml` lists. */
export async function openExecutors(list: unknown, place: ExecutorPlace): Promise<OpenExecutors> {
  const manifest = executors as unknown as Readonly<Record<string, () => Promise<ExecutorKind>>>;
  const entries = await parseKinds(list, 'executors', manifest);
  const opened: Executor[] = [];
  const listed = await openEach(entries, place, async (kind, settings) => {
    const one = await kind.open(settings, place);
    opened.push(one);
    return one;
  });
  return { executors: opened, listed };
}

interface Openable<Place> {
  readonly name: string;
  readonly settings: TelemetryKind['settings'];
  missing?(settings: unknown, place: Place): Missing | undefined;
}

/** Opens the entries that lack nothing, one after the other, and lists them all. */
async function openEach<Place, K extends Openable<Place>>(
  entries: readonly KindEntry<K>[],
  place: Place,
  open: (kind: K, settings: unknown) => Promise<Probeable>,
): Promise<ListedKind[]> {
  const listed: ListedKind[] = [];
  for (const { name, kind, settings } of entries) {
    const missing = kind.missing?.(settings, place);
    const opened = missing ? undefined : await open(kind, settings);
    const { probe } = opened ?? {};
    listed.push({ name, type: kind.name, ...(missing ? { missing } : {}), ...(probe ? { probe } : {}) });
  }
  return listed;
}

/** The kinds that `backends.yaml` can list. */
export const incidentKinds = {
  telemetry: Object.keys(telemetry),
  executors: Object.keys(executors),
} as const;

/** Every way in for alerts. */
export const alertSources = async (): Promise<readonly AlertSource[]> =>
  Promise.all(Object.values(alerts).map((load) => load()));
