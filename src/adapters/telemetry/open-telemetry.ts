import { type ListedKind, openKinds } from '#adapters/io/open-kinds';
import type { OpenedTelemetry, TelemetryKind, TelemetryPlace, TelemetrySources } from '#spec/ports';
import { kinds } from './kinds.gen.ts';

export interface OpenTelemetry {
  readonly sources: readonly TelemetrySources[];
  /** All that are configured, and why some cannot work. */
  readonly listed: readonly ListedKind[];
  close(): Promise<void>;
}

/** The types that `telemetry:` of `backends.yaml` can list. */
export const telemetryKinds: readonly string[] = Object.keys(kinds);

/** Opens what `telemetry:` of `backends.yaml` lists. What lacks something is listed and left out. */
export async function openTelemetry(list: unknown, place: TelemetryPlace): Promise<OpenTelemetry> {
  const manifest = kinds as unknown as Readonly<Record<string, () => Promise<TelemetryKind>>>;
  const sources: OpenedTelemetry[] = [];
  const close = async () => void (await Promise.allSettled(sources.map((one) => one.close())));
  try {
    const named = { list, what: 'telemetry', manifest };
    const listed = await openKinds(named, place, (one: OpenedTelemetry) => sources.push(one));
    return { sources, listed, close };
  } catch (error) {
    await close();
    throw error;
  }
}
