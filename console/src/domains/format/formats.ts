import type { Language } from '#kit/language';

export interface Formats {
  /** Three significant digits, or thousands separated: what a person reads at a glance. */
  number(value: number): string;
  /** A number with its unit. A ratio is shown in per cent. */
  quantity(value: number, unit: string): string;
  percent(ratio: number): string;
  /** `14:02:11`, with the day where it is not today. Local time. */
  time(at: Date | number | string): string;
  /** Local date and time with seconds and zone. */
  full(at: Date | number | string): string;
  utc(at: Date | number | string): string;
  /** `2 min`, `3 h 10 min`. */
  duration(ms: number): string;
  /** `2 min ago`, `in 4 h`. */
  ago(at: Date | number | string, now: number): string;
  /** `2–8 Mar 2026`: from one day to another. */
  days(from: Date | number, to: Date | number): string;
  /** The label of a time axis whose steps are so many seconds wide. */
  axisTime(unixSeconds: number, step: number): string;
}

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', zh: 'zh-CN' };
const DAY_MS = 86_400_000;

export function openFormats(language: Language, zone?: string): Formats {
  const locale = LOCALES[language];
  const inZone = zone === undefined ? {} : { timeZone: zone };
  const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false } as const;
  const day = { month: 'short', day: 'numeric' } as const;
  const dates = {
    time: new Intl.DateTimeFormat(locale, { ...clock, ...inZone }),
    minute: new Intl.DateTimeFormat(locale, {
      hour: '2-digit',
      minute: '2-digit',
      hour12: false,
      ...inZone,
    }),
    day: new Intl.DateTimeFormat(locale, { ...day, ...inZone }),
    dayTime: new Intl.DateTimeFormat(locale, { ...day, ...clock, ...inZone }),
    full: new Intl.DateTimeFormat(locale, {
      year: 'numeric',
      ...day,
      ...clock,
      timeZoneName: 'short',
      ...inZone,
    }),
    days: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', ...inZone }),
    // A calendar day that compares as a text, in the zone that is shown.
    key: new Intl.DateTimeFormat('sv-SE', { ...inZone }),
  };
  const few = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 });
  const many = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
  const number = (value: number) => (Math.abs(value) >= 1000 ? many : few).format(value);
  return {
    number,
    percent: (ratio) => `${number(ratio * 100)} %`,
    quantity(value, unit) {
      if (unit === 'ratio') return `${number(value * 100)} %`;
      if (unit === 'bytes') return bytes(value, number);
      if (unit === 'ms' && Math.abs(value) >= 10_000) return `${number(value / 1000)} s`;
      return unit ? `${number(value)} ${unit}` : number(value);
    },
    time(at) {
      const date = new Date(at);
      const today = dates.key.format(date) === dates.key.format(new Date());
      return (today ? dates.time : dates.dayTime).format(date);
    },
    full: (at) => dates.full.format(new Date(at)),
    utc: (at) =>
      `${new Date(at)
        .toISOString()
        .replace('T', ' ')
        .replace(/\.\d+Z$/, '')} UTC`,
    duration: (ms) => duration(ms, language),
    ago(at, now) {
      const ms = new Date(at).getTime() - now;
      const [size, unit] = unitOf(Math.abs(ms));
      return relative.format(Math.trunc(ms / size), unit);
    },
    days: (from, to) => dates.days.formatRange(from, to),
    axisTime(seconds, step) {
      const date = new Date(seconds * 1000);
      if (step >= 86_400) return dates.day.format(date);
      return (step < 60 ? dates.time : dates.minute).format(date);
    },
  };
}

const SIZES: readonly (readonly [number, Intl.RelativeTimeFormatUnit])[] = [
  [DAY_MS, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
];
const unitOf = (ms: number): readonly [number, Intl.RelativeTimeFormatUnit] =>
  SIZES.find(([size]) => ms >= size) ?? [1000, 'second'];

const DURATION_UNITS: Readonly<Record<Language, readonly [string, string, string, string]>> = {
  en: ['d', 'h', 'min', 's'],
  zh: ['天', '小时', '分', '秒'],
};

function duration(ms: number, language: Language): string {
  const [days, hours, minutes, seconds] = DURATION_UNITS[language];
  const whole = Math.max(0, ms);
  if (whole < 1000) return `${Math.round(whole)} ms`;
  const total = Math.round(whole / 1000);
  const parts: readonly (readonly [number, string])[] = [
    [Math.floor(total / 86_400), days],
    [Math.floor(total / 3600) % 24, hours],
    [Math.floor(total / 60) % 60, minutes],
    [total % 60, seconds],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}

function bytes(value: number, number: (value: number) => string): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let left = value;
  let index = 0;
  while (Math.abs(left) >= 1024 && index < units.length - 1) {
    left /= 1024;
    index++;
  }
  return `${number(left)} ${units[index]}`;
}
