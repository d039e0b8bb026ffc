const DAYS: readonly (readonly [RegExp, number])[] = [
  [/\bmon(?:day)?s?\b|(?:周|星期|礼拜)一/i, 1],
  [/\btue(?:s|sday)?s?\b|(?:周|星期|礼拜)二/i, 2],
  [/\bwed(?:nesday)?s?\b|(?:周|星期|礼拜)三/i, 3],
  [/\bthu(?:rs|rsday)?s?\b|(?:周|星期|礼拜)四/i, 4],
  [/\bfri(?:day)?s?\b|(?:周|星期|礼拜)五/i, 5],
  [/\bsat(?:urday)?s?\b|(?:周|星期|礼拜)六/i, 6],
  [/\bsun(?:day)?s?\b|(?:周|星期|礼拜)[日天]/i, 0],
];
const MINUTES = /\bevery\s+(?<n>\d+)?\s*(?:minutes?|mins?|m)\b|每隔?\s*(?<z>\d+)?\s*分钟/i;
const HOURS = /\bevery\s+(?<n>\d+)?\s*(?:hours?|hrs?|h)\b|\bhourly\b|每隔?\s*(?<z>\d+)?\s*个?小时/i;
const CLOCK_EN = /\bat\s+(?<hour>\d{1,2})(?::(?<minute>\d{2}))?\s*(?<half>am|pm)?\b/i;
const CLOCK_ANY = /(?<![\d.])(?<hour>\d{1,2}):(?<minute>\d{2})(?!\d)/;
const CLOCK_ZH = /(?<part>凌晨|早上|上午|中午|下午|傍晚|晚上)?\s*(?<hour>\d{1,2})\s*点(?<half>半)?/;
/** Once, and soon. */
const ONCE =
  /\b(?:in|after)\s+(?<n>\d+|an?|half an)\s*(?<unit>minutes?|mins?|m|hours?|hrs?|h)\b|(?<z>\d+|[一两二三四五六七八九十半]+)\s*个?(?<zunit>分钟|小时|钟头)(?:之|以)?后/i;
/** When nothing says at what time of the day. */
const MORNING = 9;
/** Whoever wants to be told when something happens wants it looked at again and again. */
const WATCHED =
  /\b(?:ping|notify|tell|alert|page|message|email|warn) (?:me|us)\s+(?:when|whenever|if|once|as soon as|in case)\s+(?<what>\S.*)$/i;
const EVERY = /\b(?:every|each|hourly|daily|weekly|monthly)\b|每/i;
/** What is said about the time and about whom to tell, and is no part of what is to be done. */
const ABOUT_TIME =
  /\b(?:please\s+)?(?:remind me (?:at|to|of|that)?|schedule|set up an? (?:cron|job|reminder) (?:to|for))\b|\b(?:every|each)\s+(?:other\s+)?(?:\d+\s*)?(?:minutes?|mins?|hours?|hrs?|days?|weeks?|months?|morning|evening|night|weekday|(?:mon|tues|wednes|thurs|fri|satur|sun)day|[mh])\b|\b(?:hourly|daily|nightly|weekly|monthly)\b|\bat\s+\d{1,2}(?::\d{2})?\s*(?:am|pm)?\b|\b(?:and\s+)?(?:ping|notify|tell|alert|page|message|email|warn|remind) me\b.*$|每(?:天|日|周[一二三四五六日天]?|月|晚|早|隔?\s*\d*\s*(?:分钟|个?小时|天))|(?:早上|上午|中午|下午|晚上|凌晨)?\s*\d{1,2}\s*点半?|(?<!\d)\d{1,2}:\d{2}(?!\d)|(?:定时|定期|按时)|[,，]?\s*(?:有问题|异常|失败|出错).{0,6}(?:通知|告诉|提醒|叫)我?.*$|(?:记得|别忘了)?(?:提醒|通知|告诉)我/gi;

/**
 * The line of a crontab that does what a message wants done at another time: the command, where one does it; else it asks as
 * a person would: `0 9 * * * hermes run "check the disk"`. A reminder says what it reminds of.
 */
export function cronLine(message: string, command?: string): string {
  const said = withFigures(message);
  const does = REMINDS.test(said) ? 'echo' : 'hermes run';
  if (command !== undefined && does !== 'echo') return `${timeOf(said)} ${command.replaceAll('%', '\\%')}`;
  const wanted = plainly(withoutTime(said));
  return `${timeOf(said)} ${does} "${wanted || '…'}"`;
}

const ZH_FIGURES: Readonly<Record<string, number>> = { 一: 1, 两: 2, 二: 2, 三: 3, 五: 5, 十: 10, 半: 0.5 };

/** For what is wanted once and soon: a shell that waits, of which nothing is left, as a line of a crontab would be. */
export function onceLine(message: string, command?: string): string | undefined {
  const once = EVERY.test(message) ? undefined : ONCE.exec(message)?.groups;
  if (!once) return undefined;
  const { n, unit = '', z, zunit = '' } = once;
  const written = n ?? z ?? '1';
  const count = Number(written) || ZH_FIGURES[written] || (/half/i.test(written) ? 0.5 : 1);
  const minutes = Math.max(1, Math.round(count * (/^h/i.test(unit) || /小时|钟头/.test(zunit) ? 60 : 1)));
  const wanted = plainly(message.replace(ONCE, ' ').replace(TOLD, ' '));
  const does = REMINDS.test(message) ? 'echo' : 'hermes run';
  const run = does === 'echo' || command === undefined ? `${does} "${wanted || '…'}"` : command;
  return `(sleep ${minutes}m; ${run}) &`;
}

const REMINDS = /\b(?:remind|ping) me\b|\breminder\b|提醒|叫我/i;
/** Whom to tell, and no part of what is told. */
const TOLD =
  /\b(?:please\s+)?(?:ping|remind|tell|message|nudge) me(?:\s+to)?\b|(?:请|记得)?(?:提醒|叫|通知)我/i;

const plainly = (said: string): string =>
  said
    .replaceAll(/["'`\\$%\n]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/^\s*(?:can|could|would|will) you\s+(?:please\s+)?|^\s*(?:能不能|可不可以|可以|请|帮我)+/i, '')
    .replaceAll(/^[\s,，。.]+(?:to\s+)?|[\s,，。.?？吗]+$/g, '');

/** What is to be done, without when. */
export const withoutTime = (said: string): string =>
  (WATCHED.exec(said)?.groups?.['what'] ?? said).replaceAll(ABOUT_TIME, ' ');

const FIGURES = '零一二三四五六七八九';

/** Hours in words as figures: `早上八点半` is `早上8点半`. */
const withFigures = (said: string): string =>
  said.replaceAll(/[零一二两三四五六七八九十]{1,3}(?=点)/g, (written) => {
    const [tens = '', ones = ''] = written.replaceAll('两', '二').split('十');
    const figure = (one: string): number => Math.max(0, FIGURES.indexOf(one));
    return String(
      written.includes('十') ? (tens ? figure(tens) : 1) * 10 + figure(ones || '零') : figure(tens),
    );
  });

function timeOf(said: string): string {
  if (WATCHED.test(said) && !CLOCK_ANY.test(said) && !EVERY.test(said)) return '*/10 * * * *';
  const minutes = MINUTES.exec(said)?.groups;
  if (minutes) return `*/${minutes['n'] ?? minutes['z'] ?? 1} * * * *`.replace('*/1 ', '* ');
  const hours = HOURS.exec(said)?.groups;
  if (hours) return `0 */${hours['n'] ?? hours['z'] ?? 1} * * *`.replace('*/1 ', '* ');
  const clock = (CLOCK_EN.exec(said) ?? CLOCK_ZH.exec(said) ?? CLOCK_ANY.exec(said))?.groups ?? {};
  const late = /pm|下午|傍晚|晚上/i.test(`${clock['half'] ?? ''}${clock['part'] ?? ''}`);
  const hour = Number(clock['hour'] ?? MORNING);
  const minute = clock['half'] === '半' ? 30 : Number(clock['minute'] ?? 0);
  const days = DAYS.filter(([name]) => name.test(said)).map(([, day]) => day);
  const week = /\bweekdays?\b|工作日/i.test(said) ? '1-5' : /\bweekly\b|每周/i.test(said) ? '1' : '*';
  const month = /\bmonthly\b|\bevery month\b|每月/i.test(said) ? '1' : '*';
  return `${minute} ${late && hour < 12 ? hour + 12 : hour} ${month} * ${days.length ? days.join(',') : week}`;
}
