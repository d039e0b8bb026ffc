import { isRecord } from '#kit/is-record';
import { nearest } from '#kit/nearest';

export type PathPart = string | number;

const PART = /(?:^|\.)([^.[\]"]+)|\[(\d{1,6})\]|\["([^"]+)"\]/y;

/** `alert.labels.service`, `alerts[0].name`, `labels["app.kubernetes.io/name"]`; undefined for what is no path. */
export function parsePath(path: string): readonly PathPart[] | undefined {
  const parts: PathPart[] = [];
  PART.lastIndex = 0;
  while (PART.lastIndex < path.length) {
    const [, name, index, quoted] = PART.exec(path) ?? [];
    if (index !== undefined) parts.push(Number(index));
    else if (name !== undefined || quoted !== undefined) parts.push(name ?? quoted ?? '');
    else return undefined;
  }
  return parts.length > 0 ? parts : undefined;
}

export type Found =
  | { readonly found: true; readonly value: unknown }
  /** `why` tells where the path ends and what is there instead. */
  | { readonly found: false; readonly why: string };

/** Follows a path through a payload. An own property alone counts; null is nothing. */
export function followPath(payload: unknown, parts: readonly PathPart[]): Found {
  let here = payload;
  for (const [n, part] of parts.entries()) {
    const place = n === 0 ? 'the payload' : `'${writePath(parts.slice(0, n))}'`;
    const next = Array.isArray(here) || isRecord(here) ? ownValue(here, part) : undefined;
    if (next === undefined || next === null)
      return { found: false, why: `${place} ${whatIsThere(here, part)}` };
    here = next;
  }
  return { found: true, value: here };
}

const ownValue = (holder: object, part: PathPart): unknown =>
  Object.hasOwn(holder, part) ? (holder as Record<PathPart, unknown>)[part] : undefined;

function whatIsThere(here: unknown, part: PathPart): string {
  if (Array.isArray(here)) return `is a list of ${here.length}, without '${part}'`;
  if (!isRecord(here)) return `is no object, and has no '${part}'`;
  if (Object.hasOwn(here, part)) return `has null as '${part}'`;
  const names = Object.keys(here);
  const meant = nearest(String(part), names);
  if (meant !== undefined) return `has no '${part}', but '${meant}'`;
  return names.length === 0
    ? `has no '${part}': it is empty`
    : `has no '${part}', only ${names.slice(0, 8).join(', ')}`;
}

const writePath = (parts: readonly PathPart[]): string =>
  parts
    .map((part) => {
      if (typeof part === 'number') return `[${part}]`;
      return /[.[\]"]/.test(part) ? `["${part}"]` : `.${part}`;
    })
    .join('')
    .replace(/^\./, '');
