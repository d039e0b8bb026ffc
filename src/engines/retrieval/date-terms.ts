import { stemEnglish } from './stem-english.ts';

const MONTHS = 'january february march april may june july august september october november december'
  .split(' ')
  .map(stemEnglish);
const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ').map(stemEnglish);

/** Messages of one day come one after the other. */
const cut: { day?: string; terms: readonly string[] } = { terms: [] };

/** The terms by which people name a day, in local time: its date, year, month, day and weekday. */
export function dateTerms(at: number): readonly string[] {
  const date = new Date(at);
  const [year, month, day, weekday] = [date.getFullYear(), date.getMonth(), date.getDate(), date.getDay()];
  const two = (part: number) => String(part).padStart(2, '0');
  const iso = `${year}-${two(month + 1)}-${two(day)}`;
  if (cut.day === iso) return cut.terms;
  const names = [MONTHS[month] as string, WEEKDAYS[weekday] as string];
  const chinese = '日一二三四五六'[weekday];
  cut.day = iso;
  cut.terms = [
    ...new Set([iso, `${year}`, `${month + 1}`, `${day}`, ...names, `周${chinese}`, `期${chinese}`]),
  ];
  return cut.terms;
}
