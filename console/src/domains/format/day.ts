const two = (value: number): string => String(value).padStart(2, '0');

/** A day of the calendar of this browser, as it stands in addresses: `2026-03-02`. */
export const dayOf = (date: Date): string =>
  `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

/** When a day begins; undefined where the text is none. */
export function dateOf(day: string | null): Date | undefined {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '') ?? [];
  const made = new Date(Number(year), Number(month) - 1, Number(date));
  return year !== undefined && dayOf(made) === day ? made : undefined;
}

/** When the day after it begins. */
export const afterDay = (date: Date): Date =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1);
