export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LINE = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** Prometheus' text format, as far as the services of the demo write it. */
export function parseMetrics(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = line.startsWith('#') ? [] : (LINE.exec(line) ?? []);
    if (name === undefined) return [];
    const pairs = [...labels.matchAll(LABEL)].map(([, key = '', text_ = '']) => [key, text_] as const);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });
}
