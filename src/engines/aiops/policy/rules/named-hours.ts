import type { Hours } from './hours.ts';

/** Hours that sentences name without saying them. */
export interface RuleHours {
  readonly peak?: Hours;
  readonly changeWindow?: Hours;
}

const EXPLICIT =
  /(\d{1,2})(?::(\d{2})|点(?:(\d{2})分?)?)?\s*(?:-|–|—|~|至|到|to|and|until)\s*(\d{1,2})(?::(\d{2})|点(?:(\d{2})分?)?)?/i;
const NOT_WINDOW =
  /非(?:变更|发布)窗口|(?:变更|发布)窗口(?:之|以)?外|outside (?:of )?(?:the |a |any |our )?(?:change|maintenance|release) windows?/i;
const IN_WINDOW = /(?:变更|发布)窗口|(?:change|maintenance|release) windows?/i;
const NOT_PEAK = /非高峰|高峰(?:期|时段)?(?:之|以)?外|off-?peak|outside (?:of )?(?:the )?peak/i;
const IN_PEAK = /高峰|\bpeak\b|rush hours?|busy hours?/i;
const OUTSIDE = /(?:之|以)外|\boutside\b|\bexcept\b/i;

export interface NamedHours {
  /** The sentence is about certain hours, known or not. */
  readonly named: boolean;
  /** Absent: it holds all day, because nobody has said which hours are meant. */
  readonly hours?: Hours;
  readonly outside: boolean;
}

export function namedHours(sentence: string, { peak, changeWindow }: RuleHours): NamedHours {
  const said = explicitHours(sentence);
  if (NOT_WINDOW.test(sentence)) return known(said ?? changeWindow, true);
  if (NOT_PEAK.test(sentence)) return known(said ?? peak, true);
  if (IN_PEAK.test(sentence)) return known(said ?? peak, false);
  if (IN_WINDOW.test(sentence)) return known(said ?? changeWindow, false);
  return said ? known(said, OUTSIDE.test(sentence)) : { named: false, outside: false };
}

const known = (hours: Hours | undefined, outside: boolean): NamedHours => ({
  named: true,
  ...(hours === undefined ? {} : { hours }),
  outside: hours !== undefined && outside,
});

/** `09:00-18:00`, `9点到18点30`; two bare numbers alone are not hours. */
function explicitHours(sentence: string): Hours | undefined {
  const found = EXPLICIT.exec(sentence);
  if (!found) return undefined;
  const [whole, startHour, startA, startB, endHour, endA, endB] = found;
  if (!/[:点]/.test(whole) || Number(startHour) > 24 || Number(endHour) > 24) return undefined;
  const clock = (hour: string | undefined, minute: string | undefined): string =>
    `${(hour ?? '').padStart(2, '0')}:${minute ?? '00'}`;
  return { start: clock(startHour, startA ?? startB), end: clock(endHour, endA ?? endB) };
}
