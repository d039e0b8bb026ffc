import type { Play } from '../physics/play.ts';
import type { Random } from '../random.ts';
import type { World } from '../world/world.ts';
import type { Form, LatencyStatistic } from './form.ts';
import type { MetricKey, Unit } from './metric-names.ts';
import type { Sampled } from './sampled-series.ts';

/** What a series really measures, for whoever learns or tests to read names. */
export interface SeriesMeaning {
  readonly service: string;
  readonly metric: string;
  readonly key: MetricKey;
  readonly of: 'service' | 'version' | 'edge' | 'instance' | 'node';
}

export interface MetricScene {
  readonly world: World;
  readonly form: Form;
  readonly played: Play;
  /** The services whose own measurements are there. */
  readonly reporting: ReadonlySet<number>;
  readonly random: Random;
}

export interface Wanted {
  readonly service: string;
  readonly key: MetricKey;
  readonly of: SeriesMeaning['of'];
  /** What stands behind the name, such as a version. */
  readonly suffix?: string;
  readonly statistic?: LatencyStatistic;
  readonly unit?: Unit;
}
export type Add = (wanted: Wanted, sampled: Sampled) => void;
