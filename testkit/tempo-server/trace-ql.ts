import type { SpanRecord } from '#spec/data';

export type SpanTest = (span: SpanRecord) => boolean;

const TERM = /^\s*(resource\.service\.name|status)\s*(=~|!=|=)\s*("(?:[^"\\]|\\.)*"|[a-z]+)\s*(&&|$)/;

/** One spanset with terms joined by `&&`. Throws, in the words of Tempo, what it does not understand. */
export function parseTraceQl(query: string): SpanTest {
  const inside = /^\s*\{(.*)\}\s*$/s.exec(query)?.[1];
  if (inside === undefined)
    throw new Error('invalid TraceQL query: parse error: syntax error: unexpected IDENTIFIER');
  const tests: SpanTest[] = [];
  let rest = inside;
  while (rest.trim() !== '') {
    const found = TERM.exec(rest);
    if (!found) throw new Error('invalid TraceQL query: parse error: syntax error');
    const [whole, field = '', operator = '', value = ''] = found;
    tests.push(
      field === 'status' ? ({ error }) => (value === 'error') === (error === true) : named(operator, value),
    );
    rest = rest.slice(whole.length);
  }
  return (span) => tests.every((test) => test(span));
}

function named(operator: string, quoted: string): SpanTest {
  const value = JSON.parse(quoted) as string;
  if (operator === '=~') {
    const pattern = new RegExp(`^(?:${value})$`);
    return ({ service }) => pattern.test(service);
  }
  return ({ service }) => (service === value) === (operator === '=');
}
