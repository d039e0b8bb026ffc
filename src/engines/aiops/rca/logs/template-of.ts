/** Long messages carry payloads; what a message is stands at its beginning. */
const LONGEST = 200;

const MASKS: readonly (readonly [RegExp, string])[] = [
  // Payloads come first: they are full of the rest.
  [/[[({<][^[\](){}<>]{60,}[\])}>]/g, '<payload>'],
  [/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, '<id>'],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g, '<time>'],
  [/\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b/g, '<address>'],
  [/\b[\w.+-]+@[\w-]+\.[\w.]+/g, '<mail>'],
  [/"[^"]*"|'[^']*'/g, '<text>'],
];
/** Any word with a digit in it: counts, names of things, hexadecimal ids, durations. */
const NUMBERED = /[-+]?\b[\w.]*\d[\w.]*/g;

/** A place in the code, such as `Foo#12` or `foo.go:12`, tells one statement from another better than its words. */
const PLACE = /(?:[\w$.[\]/-]+#\d+|[\w$./-]+\.(?:java|kt|go|py|js|ts|rb|rs|cs|cpp|cc|c|php|scala):\d+)/;
const LONGEST_AFTER_PLACE = 48;

/** A message without what differs from one time to the next: lines that the same statement wrote have one template. */
export function templateOf(message: string): string {
  const line = message.slice(0, LONGEST * 8).split('\n', 1)[0] ?? '';
  const place = PLACE.exec(line)?.[0];
  if (!place) return masked(line).slice(0, LONGEST);
  const rest = line.slice(line.indexOf(place) + place.length);
  return `${place} ${masked(rest).slice(0, LONGEST_AFTER_PLACE)}`.trim();
}

function masked(line: string): string {
  let text = line;
  for (const [pattern, mark] of MASKS) text = text.replace(pattern, mark);
  return text.replace(NUMBERED, '<n>').replace(/\s+/g, ' ').trim();
}
