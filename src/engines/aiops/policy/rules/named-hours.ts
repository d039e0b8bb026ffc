import type { Hours } from './hours.ts';

/** Hours that sentences name without saying them. */
export interface RuleHours {
  readonly peak?: Hours;
  readonly changeWindow?: Hours;
}

const CLOCK = String.raw`(\d{1,2})(?::(\d{2})|\s*[点时](?:(\d{2})分?)?)?\s*(am|pm|a\.m\.|p\.m\.)?`;
const PART_OF_DAY = String.raw`(上午|早上|早晨|清晨|凌晨|中午|下午|傍晚|晚上|夜里)?\s*`;
const EXPLICIT = new RegExp(
  `${PART_OF_DAY}${CLOCK}\\s*(?:-|–|—|~|至|到|to|and|until|till)\\s*${PART_OF_DAY}${CLOCK}`,
  'i',
);
const NOT_WINDOW =
  /非(?:变更|发布)窗口|(?:变更|发布)窗口(?:之|以)?外|outside (?:of )?(?:the |a |any |our )?(?:change|maintenance|release) windows?/i;
const IN_WINDOW = /(?:变更|发布)窗口|(?:change|maintenance|release) windows?/i;
const NOT_PEAK = /非高峰|高峰(?:期|时段)?(?:之|以)?外|off-?peak|outside (?:of )?(?:the )?peak/i;
const IN_PEAK = /高峰|\bpeak\b|rush hours?|busy hours?/i;
/** Times of the day by a name that nobody has given hours. */
const OTHER =
  /\b(?:business|office|working|work|trading|opening|night|day|market|store)[- ]?(?:hours?|time)\b|\b(?:at|by|during the|in the) (?:night|day|morning|afternoon|evening|daytime|noon)\b|\bovernight\b|(?:上班|下班|工作|办公|营业|交易|开市|值班)(?:时间|时段|期间|时)|(?:上|下)班后|白天|夜间|夜里|半夜|深夜|凌晨|早上|上午|中午|下午|傍晚|晚上|[早晚]间/i;
const OUTSIDE = /(?:之|以)外|\boutside\b|\bexcept\b/i;

export interface NamedHours {
  /** The sentence is about certain hours, known or not. */
  readonly named: boolean;
  /** Absent: it holds all day, because nobody has said which hours are meant. */
  readonly hours?: Hours;
  readonly outside: boolean;
}

/** Whether a text is about hours that nothing here can tell, such as office hours. */
export const namesOtherHours = (text: string): boolean => OTHER.test(text) && !explicitHours(text);

export function namedHours(sentence: string, { peak, changeWindow }: RuleHours): NamedHours {
  const said = explicitHours(sentence);
  if (NOT_WINDOW.test(sentence)) return known(said ?? changeWindow, true);
  if (NOT_PEAK.test(sentence)) return known(said ?? peak, true);
  if (IN_PEAK.test(sentence)) return known(said ?? peak, false);
  if (IN_WINDOW.test(sentence)) return known(said ?? changeWindow, false);
  if (said) return known(said, OUTSIDE.test(sentence));
  return { named: OTHER.test(sentence), outside: false };
}

const known = (hours: Hours | undefined, outside: boolean): NamedHours => ({
  named: true,
  ...(hours === undefined ? {} : { hours }),
  outside: hours !== undefined && outside,
});

/** `09:00-18:00`, `9点到18点30`; `9am to 6pm`, `晚上8点到10点`; two bare numbers alone are not hours. */
function explicitHours(sentence: string): Hours | undefined {
  const found = EXPLICIT.exec(withFigures(sentence).replace(BARE, officeHours));
  if (!found) return undefined;
  const [whole, startPart, startHour, startA, startB, startHalf, endPart, endHour, endA, endB, endHalf] =
    found;
  if (!/[:点时]|[ap]\.?m/i.test(whole) || Number(startHour) > 24 || Number(endHour) > 24) return undefined;
  const clock = (hour: string | undefined, minute: string | undefined, half = ''): string =>
    `${String(hourOf(Number(hour), half)).padStart(2, '0')}:${minute ?? '00'}`;
  return {
    start: clock(startHour, startA ?? startB, startHalf ?? startPart),
    end: clock(endHour, endA ?? endB, endHalf ?? endPart ?? startPart),
  };
}

/** `between 9 and 6`: hours of a day, the second one in the afternoon where it would come before the first. */
const BARE =
  /\b(?:between|from)\s+(\d{1,2})\s+(?:and|to|until|till)\s+(\d{1,2})(?![\d:%]|\s*(?:am|pm|a\.m|p\.m|replicas?|%))/i;
const officeHours = (_all: string, start: string, end: string): string =>
  `${start}:00-${Number(end) <= Number(start) && Number(start) <= 12 ? Number(end) + 12 : end}:00`;

const FIGURES = '零一二三四五六七八九';

/** `晚上八点半到十一点` with figures: `晚上8:30到11点`. */
const withFigures = (sentence: string): string =>
  sentence
    .replaceAll(/[零一二两三四五六七八九十]{1,3}(?=\s*[点时])/g, (written) => {
      const [tens = '', ones = ''] = written.replaceAll('两', '二').split('十');
      const figure = (one: string) => Math.max(0, FIGURES.indexOf(one));
      return String(
        written.includes('十') ? (tens ? figure(tens) : 1) * 10 + figure(ones || '零') : figure(tens),
      );
    })
    .replaceAll(/\s*[点时]半/g, ':30');

/** On the clock of 24 hours. */
function hourOf(hour: number, half: string): number {
  if (hour > 12) return hour;
  // Twelve at night is midnight.
  if (/晚上|夜里/.test(half)) return hour === 12 ? 24 : hour < 5 ? hour : hour + 12;
  if (/^p|下午|傍晚/i.test(half)) return hour === 12 ? 12 : hour + 12;
  return /^a|凌晨/i.test(half) && hour === 12 ? 0 : hour;
}
