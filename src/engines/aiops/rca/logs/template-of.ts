/** Long messages carry payloads; what a message is stands at its beginning. */
export const LONGEST = 200;

/** Brackets around much, and quotes: they are full of what differs. */
const PAYLOAD = /[[({<][^[\](){}<>]{60,}[\])}>]/g;
const QUOTED = /(["']).*?\1/g;
/** Words with a digit or an at sign, and runs of them: counts, times, addresses, ids, durations, mail. */
const VARYING = /(?:[\w.:,+-]*[\d@][\w.:@+-]*\s*)+/g;

/** A place in the code, such as `Foo#12` or `foo.go:12`, tells one statement from another better than its words. */
const PLACE = /[\w$./[\]-]+(?:#|\.[a-z]{1,5}:)\d{1,4}\b/;

/** A message without what differs from one time to the next: lines that the same statement wrote have one template. */
export function templateOf(message: string): string {
  const line = message.slice(0, 10 * LONGEST).split('\n', 1)[0] ?? '';
  const place = PLACE.exec(line)?.[0];
  if (!place) return masked(line).slice(0, LONGEST);
  const rest = line.slice(line.indexOf(place) + place.length);
  return `${place} ${masked(rest).slice(0, LONGEST)}`.trim();
}

const masked = (line: string): string =>
  line
    .replace(PAYLOAD, '<payload>')
    .replace(QUOTED, '<text>')
    .replace(VARYING, '<n> ')
    .replace(/\s+/g, ' ')
    .trim();
