import { findSecrets, SECRET_MARK } from './find-secrets.ts';

/** A secret that is known: hidden by its value, and called by its name where there is one. */
type KnownSecret = string | { readonly name: string; readonly value: string };
export type KnownSecrets = readonly KnownSecret[];

/** What stands where a secret stood. The same secret has the same mark everywhere. */
export const secretMark = (what: string): string => `[secret:${what}]`;

/**
 * Replaces everything in `known`, and what looks like a secret, with a mark that says what it was. What has passed once
 * passes again unchanged, and JSON stays JSON.
 */
export function redact(text: string, known: KnownSecrets = []): string {
  let out = text;
  for (const [literal, mark] of literalsOf(known)) {
    if (out.includes(literal)) out = out.replaceAll(literal, () => mark);
  }
  // A mark can make plain what stands before it: once more, until there is nothing left to find. Each time less is.
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const next = replaceFound(out);
    if (next === out) return out;
    out = next;
  }
  return out;
}

const MOST_PASSES = 8;

function replaceFound(out: string): string {
  const found = findSecrets(out);
  if (found.length === 0) return out;
  let clean = '';
  let at = 0;
  for (const { start, end, kind } of found) {
    const piece = out.slice(start, end);
    const own = piece.match(SECRET_MARK);
    // A known one inside keeps its name.
    clean += out.slice(at, start) + (own ? own[0] : secretMark(kind));
    at = end;
  }
  return clean + out.slice(at);
}

const SHORTEST = 6;
const compiled = new WeakMap<KnownSecrets, readonly (readonly [string, string])[]>();

/** Each value, and the ways in which other texts spell it; the longest first, so that none leaves a rest of another. */
function literalsOf(known: KnownSecrets): readonly (readonly [string, string])[] {
  const cached = compiled.get(known);
  if (cached) return cached;
  const spelled = new Map<string, string>();
  for (const secret of known) {
    const [name, value] = typeof secret === 'string' ? ['known', secret] : [secret.name, secret.value];
    if (value.length < SHORTEST) continue;
    const base64 = value.length >= 8 ? [Buffer.from(value).toString('base64').replace(/=+$/, '')] : [];
    const ways = [
      value,
      JSON.stringify(value).slice(1, -1),
      encodeURIComponent(value.toWellFormed()),
      ...base64,
    ];
    for (const way of ways)
      if (!spelled.has(way)) spelled.set(way, secretMark(name.replace(/[^\w.-]/g, '_')));
  }
  const literals = [...spelled].toSorted(([a], [b]) => b.length - a.length || (a < b ? -1 : 1));
  compiled.set(known, literals);
  return literals;
}

/** The same for every string in a value, however deep. Keys are left alone; what holds nothing is given back as it is. */
export function redactDeep<T>(value: T, known: KnownSecrets = []): T {
  return deep(value, (text) => redact(text, known)) as T;
}

function deep(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) {
    const parts = value.map((part) => deep(part, clean));
    return parts.some((part, at) => part !== value[at]) ? parts : value;
  }
  let changed = false;
  const entries = Object.entries(value).map(([key, part]) => {
    const now = deep(part, clean);
    changed ||= now !== part;
    return [key, now] as const;
  });
  return changed ? Object.fromEntries(entries) : value;
}
