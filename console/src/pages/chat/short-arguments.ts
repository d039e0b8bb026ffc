const LONGEST = 80;

/** The arguments of a call in a few words: the one value, or `name=value` for several. */
export function shortArguments(json: string): string {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    // Half a call, or one that is no JSON: shown as it is.
    return line(json).slice(0, 200);
  }
  if (value === null || typeof value !== 'object') return line(String(value));
  const pairs = Object.entries(value).filter(
    ([, each]) => each !== undefined && each !== null && each !== '',
  );
  const [first, ...rest] = pairs;
  if (!first) return '';
  const lead =
    rest.length === 0 || typeof first[1] === 'string' ? words(first[1]) : `${first[0]}=${words(first[1])}`;
  return [lead, ...rest.map(([name, each]) => `${name}=${words(each)}`)].join(' ');
}

function words(value: unknown): string {
  const text = line(typeof value === 'string' ? value : JSON.stringify(value));
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

const line = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
