/** How many lines of a kind make a text a copy instead of a note. */
const MANY = 3;

const LOG_LINES: readonly RegExp[] = [
  // 2026-05-03T09:30:12.123Z, 2026/05/03 09:30:12, [2026-05-03 09:30:12]
  /^[\s>|"'[(]{0,8}\d{4}[-/]\d{2}[-/]\d{2}[T ]\d{2}:\d{2}:\d{2}/,
  // May  3 09:30:12 host, 03/May/2026:09:30:12, klog's I0503 09:30:12
  /^[\s[(]{0,8}(?:[A-Z][a-z]{2} [ \d]\d|\d{1,2}\/[A-Z][a-z]{2}\/\d{4}|[IWEF]\d{4})[ :]\d{2}:\d{2}:\d{2}/,
  /^\s{0,8}\d{1,3}(?:\.\d{1,3}){3} \S{1,40} \S{1,40} \[\d{2}\/[A-Z][a-z]{2}\/\d{4}/,
  /^\s{0,8}\{.{0,400}"(?:ts|time|timestamp|@timestamp)"\s?:.{0,400}"(?:level|severity|lvl|msg|message)"/,
  /^\s{0,8}(?:ts|time|level)=\S{1,60} .{0,200}\b(?:msg|level)=/,
];

const STACK_LINES: readonly RegExp[] = [
  /^\s{0,20}at [\w$.<>[\] ]{1,200}[ (].{0,300}:\d{1,7}(?::\d{1,7})?\)?/,
  /^\s{0,20}at [\w$.]{1,200}\((?:Native Method|Unknown Source)\)/,
  /^\s{0,20}File "[^"]{1,300}", line \d{1,7}/,
  /^\s{0,20}(?:Caused by: |\.\.\. \d{1,5} (?:more|common frames))/,
  /^\s{0,20}(?:goroutine \d{1,9} \[|[\w./-]{1,200}\.go:\d{1,7})/,
  /^\s{0,20}\d{1,4}: +(?:0x[0-9a-f]{4,16} - )?[\w:<>]{3,200}$/,
  /^\s{0,20}from [^\s:]{1,300}:\d{1,7}:in [`']/,
];

const SPAN_ID = /\b(?:trace|span|parent_?span)[_-]?id["']?\s{0,3}[:=]\s{0,3}["']?[0-9a-f]{8,32}\b/gi;
const SPAN_LINE = /[├└│]─{1,3}.{0,200}\b\d{1,9}(?:\.\d{1,6})?\s?(?:µs|us|ms|s)\b/g;
const JSON_KEY = /"[^"\n]{1,60}"\s{0,4}:/g;
const MOST_KEYS = 12;
const BLOB = /[A-Za-z0-9+/]{200,}={0,2}|(?:[0-9a-f]{2}[ :]?){120,}/i;

const count = (lines: readonly string[], patterns: readonly RegExp[]): number =>
  lines.filter((line) => patterns.some((pattern) => pattern.test(line))).length;

const matches = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;

/** What a text is a copy of: logs, a trace, data. Undefined for a note in words, also for one that quotes a line. */
export function findRawData(text: string): 'logs' | 'stack' | 'trace' | 'dump' | undefined {
  const lines = text.split('\n').map((line) => line.slice(0, 2_000));
  if (count(lines, LOG_LINES) >= MANY) return 'logs';
  if (count(lines, STACK_LINES) >= MANY) return 'stack';
  if (matches(text, SPAN_ID) >= MANY || matches(text, SPAN_LINE) >= MANY) return 'trace';
  return matches(text, JSON_KEY) >= MOST_KEYS || BLOB.test(text) ? 'dump' : undefined;
}
