import { fail } from '#kit/app-error';
import { codeOf, machineOf, versionOf } from './instrument-names.ts';
import type { SeriesInfo } from './read-series.ts';

export interface LabelTest {
  readonly label: string;
  readonly operator: '=' | '!=' | '=~' | '!~';
  readonly value: string;
}

/** `rate(http.server.request.duration{service="payment",code="503"})`. An absent name stands for every signal. */
export interface MetricQuery {
  readonly fold?: Fold;
  readonly name?: string;
  readonly tests: readonly LabelTest[];
}

const FOLDS = ['rate', 'mean', 'p50', 'p95', 'p99'] as const;
type Fold = (typeof FOLDS)[number];

const EXAMPLES =
  'Write a metric or a signal with labels, such as latency_p95_ms{service="payment-service"} or rate(http.server.request.duration{service="payment-service",code="503"}). Functions: rate, mean, p50, p95, p99.';
const LONGEST = 1_000;

const refuse = (problem: string) => fail('input.invalid', `The query cannot be read: ${problem}.`, EXAMPLES);

export function parseMetricQuery(text: string): MetricQuery {
  const query = text.trim();
  if (!query) throw refuse('it is empty');
  if (query.length > LONGEST) throw refuse(`it is longer than ${LONGEST} characters`);
  const [, called, inner] = /^([A-Za-z_]\w*)\s*\((.*)\)$/s.exec(query) ?? [];
  if (called !== undefined) {
    const fold = FOLDS.find((one) => one === called);
    if (!fold) throw refuse(`there is no function ${called}`);
    const selected = parseSelector(inner ?? '');
    if (selected.name === undefined) throw refuse(`${called}() needs the name of a metric`);
    return { fold, ...selected };
  }
  return parseSelector(query);
}

function parseSelector(text: string): Omit<MetricQuery, 'fold'> {
  const [, name = '', braces] = /^\s*([A-Za-z_][\w.:@-]*)?\s*(\{.*\})?\s*$/s.exec(text) ?? [];
  if (!name && braces === undefined) throw refuse(`"${text.trim().slice(0, 60)}" is no metric`);
  return { ...(name ? { name } : {}), tests: parseLabels(braces ?? '{}') };
}

/** `{service="x", code=~"5.."}`. */
export function parseLabels(text: string): LabelTest[] {
  const tests: LabelTest[] = [];
  let rest = text.slice(1, -1).trim();
  while (rest) {
    const found = /^([A-Za-z_][\w.]*)\s*(=~|!~|!=|=)\s*"((?:[^"\\]|\\.)*)"\s*(?:,\s*|$)/.exec(rest);
    if (!found) throw refuse(`the labels have a mistake at "${rest.slice(0, 40)}"`);
    const [whole, label = '', operator = '=', value = ''] = found;
    tests.push({
      label,
      operator: operator as LabelTest['operator'],
      value: value.replaceAll(/\\(.)/g, '$1'),
    });
    rest = rest.slice(whole.length);
  }
  return tests;
}

/** Patterns are bounded and plain: text, `.`, `.*`, `.+` and `|`, matched over the whole value. */
function patternOf(value: string): RegExp {
  if (!/^[\w\s./:@|*+-]*$/.test(value) || /[*+]{2}|(?:^|[^.])[*+]/.test(value))
    throw refuse(`the pattern "${value.slice(0, 40)}" uses more than text, ".", ".*", ".+" and "|"`);
  const safe = value.replaceAll(/[/:@-]/g, String.raw`\$&`);
  return new RegExp(`^(?:${safe})$`);
}

export function passes(tests: readonly LabelTest[], valueOf: (label: string) => string): boolean {
  return tests.every(({ label, operator, value }) => {
    const found = valueOf(label);
    if (operator === '=' || operator === '!=') return (found === value) === (operator === '=');
    return patternOf(value).test(found) === (operator === '=~');
  });
}

/** A label of a series: an attribute by its name, dots or not, or one of `service`, `version`, `instance`, `node`, `code`. */
export function labelOf(series: SeriesInfo, label: string): string {
  if (label === 'service') return series.service;
  if (label === 'instance') return series.instance;
  if (label === 'version') return versionOf(series);
  const { attributes } = series;
  const dotted = Object.keys(attributes).find((key) => key === label || key.replaceAll('.', '_') === label);
  if (dotted !== undefined) return attributes[dotted] ?? '';
  if (label === 'node') return machineOf(series);
  return label === 'code' ? (codeOf(series) ?? '') : '';
}
