import { tell } from '#kit/text';
import { z } from 'zod';
import { defineTelemetry } from '#spec/ports';
import { openEmbedded } from './open-embedded.ts';

const Settings = z.strictObject({
  max_age_hours: z.number().positive().max(168).default(6),
  max_megabytes: z.number().int().min(5).max(10_000).default(200),
  max_series: z.number().int().min(100).max(1_000_000).default(20_000),
});

/** The built-in store that the OTLP receiver fills. */
export const telemetry = defineTelemetry({
  name: 'embedded',
  settings: Settings,
  async open({ max_age_hours, max_megabytes, max_series }, { folder, now }) {
    const store = await openEmbedded(folder, {
      maxAgeMs: max_age_hours * 3_600_000,
      maxBytes: max_megabytes * 1_000_000,
      maxSeries: max_series,
      now,
    });
    return {
      ...store.sources,
      probe: async () => {
        const last = store.lastAt();
        const told =
          last === undefined
            ? tell('nothing received yet', '尚未收到数据')
            : tell(
                `last data of ${new Date(last).toISOString()}`,
                `最近数据:${new Date(last).toISOString()}`,
              );
        return { state: 'reached', detail: told };
      },
      close: () => store.close(),
    };
  },
});
