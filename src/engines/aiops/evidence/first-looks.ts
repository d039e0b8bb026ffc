import type { Prior, ServiceProfile } from '#spec/data';

/** Where to look before anything else: what decided before, and what the profile of a service calls telling. */
export interface FirstLooks {
  readonly services: readonly string[];
  readonly metrics: ReadonlySet<string>;
}

const SERVICE = /service(?:_name)?\s*=~?\s*"([^"|]{1,100})"/g;
const METRIC = /\b([a-z_][a-z0-9_:@.-]{2,100})\s*\{/gi;
const MOST_SERVICES = 10;

/** Priors are words of the past: names are read from them, and nothing in them is run. */
export function firstLooks(
  priors: readonly Prior[],
  profiles: readonly ServiceProfile[],
  known: readonly string[],
): FirstLooks {
  const checked = priors.flatMap((prior) => prior.checked ?? []);
  const quoted = checked.flatMap((text) => [...text.matchAll(SERVICE)].map(([, name = '']) => name));
  const said = known.filter((service) => checked.some((text) => names(text, service)));
  const metrics = checked.flatMap((text) => [...text.matchAll(METRIC)].map(([, name = '']) => name));
  return {
    services: [...new Set([...quoted, ...said])].slice(0, MOST_SERVICES),
    metrics: new Set([...metrics, ...profiles.flatMap(({ signals }) => signals)]),
  };
}

/** Whether a text names a service as a whole word: `order` is not in `order-service`. */
export function names(text: string, service: string): boolean {
  const word = /[\w.-]/;
  for (let at = text.indexOf(service); at >= 0; at = text.indexOf(service, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text.slice(at + service.length);
    // A full stop ends a sentence; inside a word it is part of a name.
    if (!word.test(before) && !/^(?:[\w-]|\.\w)/.test(after)) return true;
  }
  return false;
}
