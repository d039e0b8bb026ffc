import { fail } from '#kit/app-error';
import type { Route } from '#spec/ports';

export type RouteMatch =
  | { readonly found: 'route'; readonly route: Route; readonly params: Readonly<Record<string, string>> }
  /** The path is known, the method is not. */
  | { readonly found: 'path'; readonly allow: string }
  | { readonly found: 'nothing' }
  /** A part of the path says something that no part may say. */
  | { readonly found: 'bad_path'; readonly why: string };

interface Entry {
  readonly parts: readonly string[];
  readonly methods: Map<string, Route>;
}

/**
 * Which route serves a path, exactly as it was sent: nothing is decoded, folded or put right before it is compared. A
 * written part wins over a named one.
 */
export function routeTable(routes: readonly Route[]): (method: string, path: string) => RouteMatch {
  const entries = new Map<string, Entry>();
  for (const route of routes) {
    if (!route.path.startsWith('/')) throw fail('internal', `Route '${route.path}' does not begin with '/'.`);
    const shape = route.path.replace(/\/:[^/]+/g, '/:');
    const entry = entries.get(shape) ?? { parts: route.path.split('/').slice(1), methods: new Map() };
    if (entry.methods.has(route.method)) {
      throw fail('internal', `Two routes serve ${route.method} ${route.path}.`);
    }
    entry.methods.set(route.method, route);
    entries.set(shape, entry);
  }
  const ordered = [...entries.values()].toSorted((one, other) => compareParts(one.parts, other.parts));
  return (method, path) => {
    const sent = path.split('/').slice(1);
    const entry = ordered.find(({ parts }) => fits(parts, sent));
    if (!entry) return { found: 'nothing' };
    const route = entry.methods.get(method) ?? (method === 'HEAD' ? entry.methods.get('GET') : undefined);
    if (!route) return { found: 'path', allow: allowed(entry) };
    return readParams(route, sent);
  };
}

const isNamed = (part: string | undefined): boolean => part?.startsWith(':') ?? false;

function compareParts(one: readonly string[], other: readonly string[]): number {
  for (const [index, part] of one.entries()) {
    const order = Number(isNamed(part)) - Number(isNamed(other[index]));
    if (order) return order;
  }
  return 0;
}

const fits = (parts: readonly string[], sent: readonly string[]): boolean =>
  parts.length === sent.length &&
  parts.every((part, index) => (isNamed(part) ? sent[index] !== '' : sent[index] === part));

function allowed({ methods }: Entry): string {
  const names = [...methods.keys(), ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'];
  return names.toSorted().join(', ');
}

/** A value of the path is one name: it can neither hold a way to somewhere else nor a control character. */
// oxlint-disable-next-line no-control-regex
const NO_NAME = /[/\\\0-\x1f\x7f]|^\.{1,2}$/;

function readParams(route: Route, sent: readonly string[]): RouteMatch {
  const params: [string, string][] = [];
  for (const [index, part] of route.path.split('/').slice(1).entries()) {
    if (!isNamed(part)) continue;
    const value = decoded(sent[index] ?? '');
    if (value === undefined)
      return { found: 'bad_path', why: 'A part of the path is not percent-encoded UTF-8.' };
    if (NO_NAME.test(value)) return { found: 'bad_path', why: `A part of the path is no ${part.slice(1)}.` };
    params.push([part.slice(1), value]);
  }
  return { found: 'route', route, params: Object.fromEntries(params) };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    if (cause instanceof URIError) return undefined;
    throw cause;
  }
}
