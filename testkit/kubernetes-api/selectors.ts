import type { KubeObject } from './objects.ts';

/** `app=web,tier!=db,track in (a,b),!canary,owner`: the labels that a list asks for. */
export function matchesLabels(object: KubeObject, selector: string | null): boolean {
  if (!selector) return true;
  const labels = object.metadata.labels ?? {};
  const terms = selector.match(/[^,(]+(?:\([^)]*\))?/g) ?? [];
  return terms.every((raw) => {
    const term = raw.trim();
    const [, key = '', word, list = ''] = /^(\S+)\s+(in|notin)\s*\(([^)]*)\)$/.exec(term) ?? [];
    if (word) {
      const isIn = list
        .split(',')
        .map((value) => value.trim())
        .includes(labels[key] ?? '');
      return word === 'in' ? isIn : !isIn;
    }
    const [, name = term, not, value] = /^([^=!]+?)\s*(!?)==?\s*(.*)$/.exec(term) ?? [];
    if (value !== undefined) return not ? labels[name] !== value : labels[name] === value;
    return term.startsWith('!') ? labels[term.slice(1)] === undefined : labels[term] !== undefined;
  });
}

/** `metadata.name=x,involvedObject.name=y,reason!=z`. */
export function matchesFields(object: KubeObject, selector: string | null): boolean {
  if (!selector) return true;
  return selector.split(',').every((term) => {
    const [, path = '', not, value = ''] = /^([^=!]+)(!?)==?(.*)$/.exec(term.trim()) ?? [];
    let at: unknown = object;
    for (const part of path.split('.')) at = (at as Record<string, unknown> | undefined)?.[part];
    const found = typeof at === 'string' ? at : '';
    return not ? found !== value : found === value;
  });
}
