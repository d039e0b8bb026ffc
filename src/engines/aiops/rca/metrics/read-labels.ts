import { machineName, namesMachine, namesReplica } from '#kit/machine-name';

/** A name without the labels that say which replica it is of, and what they say. */
export interface ReadLabels {
  readonly name: string;
  readonly replica?: string;
  readonly machine?: string;
}

const LABELLED = /^([^{]*)\{(.*)\}$/s;
const LABEL = /([^\s,={}"]+)="((?:[^"\\]|\\.)*)"/g;
/** `latency{route="/a",node="n-2"}` is `latency{route="/a"}` on the machine n-2. */
export function readLabels(metric: string): ReadLabels {
  const [, plain, inside] = LABELLED.exec(metric) ?? [];
  if (plain === undefined || inside === undefined) return { name: metric };
  const labels = [...inside.matchAll(LABEL)].map(([, key = '', value = '']) => [key, value] as const);
  const placing = labels.filter(([key]) => namesReplica(key) || namesMachine(key));
  if (!placing.length) return { name: metric };
  const rest = labels.filter((label) => !placing.includes(label));
  const machine = machineName(Object.fromEntries(placing));
  return {
    name: rest.length ? `${plain}{${rest.map(([key, value]) => `${key}="${value}"`).join(',')}}` : plain,
    replica: placing.map(([, value]) => value).join(' '),
    ...(machine === undefined ? {} : { machine }),
  };
}
