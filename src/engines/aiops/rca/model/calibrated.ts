import type { Parameters } from './parameters.ts';

/** What came true of hypotheses that the model was as sure of, between the two pairs around it. */
export function calibrated(said: number, { calibration }: Pick<Parameters, 'calibration'>): number {
  const above = calibration.findIndex(([raw]) => raw >= said);
  if (above < 0) return calibration.at(-1)?.[1] ?? said;
  const [right, high] = calibration[above] as readonly [number, number];
  const [left, low] = above > 0 ? (calibration[above - 1] as readonly [number, number]) : [0, 0];
  return right > left ? low + ((high - low) * (said - left)) / (right - left) : high;
}
