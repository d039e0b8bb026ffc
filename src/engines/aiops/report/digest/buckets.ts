import type { DigestBucket } from '#spec/data';
import type { IncidentHistory } from '#spec/ports';
import { medianOf } from './spread.ts';

const HOUR_MS = 3_600_000;
/** A time up to this is told by hours, a longer one by days. */
const SHORT_MS = 48 * HOUR_MS;

interface Span {
  readonly from: number;
  readonly to: number;
  readonly zone: string;
}

export function bucketsOf(histories: readonly IncidentHistory[], span: Span): DigestBucket[] {
  return edgesOf(span).map(([start, end]) => {
    const within = (at: number | undefined): boolean => at !== undefined && at >= start && at < end;
    const opened = histories.filter(({ incident }) => within(incident.createdAt));
    const recovered = histories
      .flatMap(({ incident, facts }) => {
        const verified = facts.findLast(({ type }) => type === 'recovery.verified');
        const at = verified && Date.parse(verified.at);
        return at !== undefined && within(at) ? [at - Date.parse(incident.startsAt)] : [];
      })
      .toSorted((one, other) => one - other);
    const median = medianOf(recovered);
    return {
      start,
      end,
      opened: opened.map(({ incident }) => incident.id),
      ended: histories.filter(({ incident }) => within(incident.closedAt)).map(({ incident }) => incident.id),
      alerts: opened.reduce((all, { incident }) => all + incident.alerts, 0),
      ...(median === undefined ? {} : { recoverMs: median }),
    };
  });
}

/** Hours of a short time; else the calendar days of the zone, which are not all as long. */
function edgesOf({ from, to, zone }: Span): (readonly [number, number])[] {
  const edges: number[] = [from];
  if (to - from <= SHORT_MS) for (let at = from + HOUR_MS; at < to; at += HOUR_MS) edges.push(at);
  else for (let at = nextDay(from, zone); at < to; at = nextDay(at, zone)) edges.push(at);
  return edges.map((start, index) => [start, edges[index + 1] ?? to] as const);
}

/** When the next day of a zone begins. Days begin on a quarter of an hour, wherever they are. */
function nextDay(at: number, zone: string): number {
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: zone });
  const today = day.format(at);
  const quarter = HOUR_MS / 4;
  // The last quarter that is still today, and the first that is not, come ever closer.
  let low = Math.floor(at / quarter);
  let high = low + 4 * 27;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (day.format(middle * quarter) === today) low = middle;
    else high = middle;
  }
  return high * quarter;
}
