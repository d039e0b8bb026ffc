import { fail } from '#kit/app-error';

const WRITTEN = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d)$/i;
/** Unix seconds stay below this for thousands of years, milliseconds have been above it since 1973. */
const FIRST_MILLISECONDS = 100_000_000_000;

/**
 * An instant as systems write it: ISO 8601 with a zone, unix seconds or milliseconds. Years before 1970, such as the
 * zero value of Go, mean that there is none.
 */
export function readInstant(value: string | number, where: string): string | undefined {
  const at = new Date(millisecondsOf(value));
  if (Number.isNaN(at.getTime()))
    throw fail(
      'input.invalid',
      `${where} is not an instant.`,
      'Send ISO 8601 with a zone, such as 2026-08-01T10:00:00Z, or unix seconds.',
    );
  return at.getTime() < 0 ? undefined : at.toISOString();
}

function millisecondsOf(value: string | number): number {
  if (typeof value === 'number' || /^\d{9,13}(?:\.\d+)?$/.test(value)) {
    const number = Number(value);
    return number < FIRST_MILLISECONDS ? number * 1000 : number;
  }
  const [, day, time, zone = ''] = WRITTEN.exec(value.trim()) ?? [];
  if (day === undefined) return Number.NaN;
  return Date.parse(`${day}T${time}${zone.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`);
}
