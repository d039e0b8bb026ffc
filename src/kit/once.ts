import { fail } from './app-error.ts';

/** A function that makes something at its first call and gives the same thing to every later one. */
export interface Once<A extends readonly unknown[], T> {
  (...given: A): Promise<T>;
  /** What was made or is being made; undefined where nobody has asked for it, or where it failed. */
  kept(): Promise<T> | undefined;
}

/**
 * Keeps what `make` gives. A failure is told to whoever waits for it and is then forgotten: the next call tries again.
 * A call with other arguments than those of the kept thing fails with `internal`: it would get what it did not ask for.
 */
export function once<A extends readonly unknown[], T>(make: (...given: A) => Promise<T>): Once<A, T> {
  let kept: { readonly given: A; readonly made: Promise<T> } | undefined;
  const call = (...given: A): Promise<T> => {
    if (kept) return isSame(kept.given, given) ? kept.made : Promise.reject(refusal(kept.given, given));
    const made = Promise.resolve(make(...given));
    const mine = { given, made };
    kept = mine;
    made.catch(() => {
      if (kept === mine) kept = undefined;
    });
    return made;
  };
  return Object.assign(call, { kept: () => kept?.made });
}

/** The same for each key, such as a folder. */
export interface OnceEach<K, T> {
  (key: K): Promise<T>;
  kept(): readonly Promise<T>[];
}

export function onceEach<K, T>(make: (key: K) => Promise<T>): OnceEach<K, T> {
  const made = new Map<K, Once<[], T>>();
  const call = (key: K): Promise<T> => {
    const known = made.get(key) ?? once(() => make(key));
    made.set(key, known);
    return known();
  };
  return Object.assign(call, { kept: () => [...made.values()].flatMap((each) => each.kept() ?? []) });
}

const isSame = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((each, at) => Object.is(each, other[at]));

const refusal = (had: readonly unknown[], given: readonly unknown[]): Error =>
  fail(
    'internal',
    `This is open already with (${shown(had)}) and cannot be opened again with (${shown(given)}).`,
  );

const shown = (given: readonly unknown[]): string =>
  given.map((each) => (typeof each === 'function' ? 'a function' : JSON.stringify(each))).join(', ');
