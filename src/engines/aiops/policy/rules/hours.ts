import type { GovernanceRule } from '#spec/data';

export type Hours = NonNullable<GovernanceRule['hours']>;

const minutesOf = (text: string): number | undefined => {
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(text.trim()) ?? [];
  const total = Number(hours) * 60 + Number(minutes);
  return Number.isFinite(total) && Number(minutes) < 60 && total <= 24 * 60 ? total : undefined;
};

/** Minutes since midnight in a zone; undefined for a zone that does not exist. */
function minuteOfDay(now: number, zone: string): number | undefined {
  try {
    const parts = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }).formatToParts(now);
    const read = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
    return read('hour') * 60 + read('minute');
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Whether a moment lies within hours of the day; the end does not belong to them, and may be on the next day. Undefined
 * when hours or zone cannot be read.
 */
export function isWithinHours(
  { start, end, zone }: Hours,
  now: number,
  otherwise: string,
): boolean | undefined {
  const from = minutesOf(start);
  const to = minutesOf(end);
  const at = minuteOfDay(now, zone ?? otherwise);
  if (from === undefined || to === undefined || at === undefined) return undefined;
  if (from === to) return true;
  return from < to ? at >= from && at < to : at >= from || at < to;
}
