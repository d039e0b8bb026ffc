import { classes, type Tone } from './classes.ts';
import './meter.css';

/** How full something is. What it is stands beside it, so the bar itself is told by nothing. */
export function Meter(props: {
  readonly value: number;
  readonly most: number;
  readonly tone?: Tone;
  /** Instead of a tone, where it is one of several parts. */
  readonly color?: string;
  /** A line that has to be reached. */
  readonly mark?: number | undefined;
}) {
  const { value, most, tone, color, mark } = props;
  const share = (part: number) => `${Math.max(0, Math.min(1, most > 0 ? part / most : 0)) * 100}%`;
  return (
    <span className="meter" aria-hidden="true">
      <i className={classes(tone)} style={{ width: share(value), background: color }} />
      {mark === undefined ? null : <b style={{ left: share(mark) }} />}
    </span>
  );
}
