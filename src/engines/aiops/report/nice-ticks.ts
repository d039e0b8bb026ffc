/** Round numbers that cover a range: steps of 1, 2 or 5 times a power of ten, about `count` of them. */
export function niceTicks(low: number, high: number, count: number): number[] {
  const span = high - low || Math.abs(high) || 1;
  const rough = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((times) => times * power >= rough) ?? 10) * power;
  const first = Math.floor(low / step);
  const last = Math.max(first + 1, Math.ceil(high / step));
  // Multiplied, not added up: sums of tenths drift.
  return Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
}

const SECOND = 1;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TIME_STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14, 28, 84, 182, 364].map((count) => count * DAY),
];

/** Whole minutes, hours or days within a range of unix seconds, at most `most` of them, with what to write there. */
export function timeTicks(from: number, to: number, most: number): { at: number; label: string }[] {
  const step = TIME_STEPS.find((each) => (to - from) / each <= most) ?? TIME_STEPS.at(-1) ?? DAY;
  const ticks: { at: number; label: string }[] = [];
  for (let at = Math.ceil(from / step) * step; at <= to && ticks.length <= most; at += step) {
    ticks.push({ at, label: timeLabel(at, step, to - from) });
  }
  return ticks;
}

function timeLabel(at: number, step: number, span: number): string {
  const text = new Date(at * 1000).toISOString();
  if (step >= DAY) return text.slice(5, 10);
  if (span > DAY) return `${text.slice(5, 10)} ${text.slice(11, 16)}`;
  return step < MINUTE ? text.slice(11, 19) : text.slice(11, 16);
}
