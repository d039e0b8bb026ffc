import { isRecord } from '#kit/is-record';
import { Refusal } from './refusal.ts';
import { clone, type Json, type JsonObject } from './objects.ts';

const PATCH_TYPES = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

/** Lists that a strategic patch merges by a key of their entries; all others are replaced. */
const MERGE_KEYS: Readonly<Record<string, string>> = {
  containers: 'name',
  initContainers: 'name',
  env: 'name',
  volumes: 'name',
  volumeMounts: 'mountPath',
  ports: 'containerPort',
  imagePullSecrets: 'name',
  conditions: 'type',
};

/** The object after the patch. Throws a `Refusal` when the patch is of an unknown type or does not fit. */
export function applyPatch(type: string, object: JsonObject, patch: unknown): JsonObject {
  if (type === PATCH_TYPES.json) return jsonPatch(object, patch);
  if (!isRecord(patch)) throw new Refusal(400, 'the patch is not an object');
  if (type === PATCH_TYPES.merge) return asObject(mergePatch(object, patch as JsonObject));
  if (type === PATCH_TYPES.strategic) return asObject(strategic(object, patch as JsonObject, ''));
  throw new Refusal(
    415,
    `the body of the request was in an unknown format - accepted media types include: ${Object.values(PATCH_TYPES).join(', ')}`,
  );
}

function asObject(value: Json): JsonObject {
  if (isRecord(value)) return value;
  throw new Refusal(422, 'the patch leaves no object');
}

/** RFC 7396. */
function mergePatch(target: Json, patch: Json): Json {
  if (!isRecord(patch)) return clone(patch);
  const out: JsonObject = isRecord(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete out[key];
    else out[key] = mergePatch(out[key] ?? null, value);
  }
  return out;
}

function strategic(target: Json, patch: Json, field: string): Json {
  if (Array.isArray(patch)) return strategicList(Array.isArray(target) ? target : [], patch, field);
  if (!isRecord(patch)) return clone(patch);
  if (patch['$patch'] === 'replace') {
    const { $patch: _, ...rest } = patch;
    return clone(rest);
  }
  const out: JsonObject = isRecord(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith('$')) continue;
    if (value === null) delete out[key];
    else out[key] = strategic(out[key] ?? null, value, key);
  }
  return out;
}

function strategicList(target: readonly Json[], patch: readonly Json[], field: string): Json {
  const key = MERGE_KEYS[field];
  const isReplace = (entry: Json) => isRecord(entry) && entry['$patch'] === 'replace';
  if (key === undefined || patch.some(isReplace)) return clone(patch.filter((entry) => !isReplace(entry)));
  const out = target.map((entry) => clone(entry));
  for (const entry of patch) {
    if (!isRecord(entry)) throw new Refusal(422, `an entry of ${field} is not an object`);
    const at = out.findIndex((known) => isRecord(known) && known[key] === entry[key]);
    if (entry['$patch'] === 'delete') {
      if (at >= 0) out.splice(at, 1);
    } else if (at >= 0) out[at] = strategic(out[at] ?? null, entry, '');
    else out.push(clone(entry));
  }
  return out;
}

interface JsonStep {
  readonly op?: string;
  readonly path?: string;
  readonly from?: string;
  readonly value?: Json;
}

/** RFC 6902. A step that does not fit refuses the whole patch. */
function jsonPatch(object: JsonObject, patch: unknown): JsonObject {
  if (!Array.isArray(patch))
    throw new Refusal(400, 'json: cannot unmarshal object into Go value of type jsonpatch.Patch');
  let out: Json = clone(object);
  for (const step of patch as JsonStep[]) {
    const path = pointer(step.path ?? '');
    switch (step.op) {
      case 'test':
        if (!same(valueAt(out, path), step.value ?? null))
          throw new Refusal(422, `testing value ${step.path} failed`, undefined, 'Invalid');
        break;
      case 'add':
      case 'replace':
        if (step.op === 'replace') valueAt(out, path);
        out = setAt(out, path, clone(step.value ?? null), step.op === 'add');
        break;
      case 'remove':
        out = removeAt(out, path);
        break;
      case 'move':
      case 'copy': {
        const from = pointer(step.from ?? '');
        const value = clone(valueAt(out, from));
        if (step.op === 'move') out = removeAt(out, from);
        out = setAt(out, path, value, true);
        break;
      }
      default:
        throw new Refusal(422, `Unexpected kind: ${String(step.op)}`);
    }
  }
  return asObject(out);
}

const pointer = (path: string): string[] =>
  path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

const missing = (path: readonly string[]): Refusal =>
  new Refusal(
    422,
    `the server rejected our request due to an error in our request: missing path /${path.join('/')}`,
  );

function valueAt(value: Json, path: readonly string[]): Json {
  let at: Json | undefined = value;
  for (const part of path) {
    at = Array.isArray(at) ? at[Number(part)] : isRecord(at) ? at[part] : undefined;
    if (at === undefined) throw missing(path);
  }
  return at;
}

function setAt(value: Json, path: readonly string[], next: Json, insert: boolean): Json {
  const last = path.at(-1);
  if (last === undefined) return next;
  const parent = valueAt(value, path.slice(0, -1));
  if (Array.isArray(parent)) {
    const at = last === '-' ? parent.length : Number(last);
    if (!Number.isInteger(at) || at < 0 || at > parent.length) throw missing(path);
    parent.splice(at, insert ? 0 : 1, next);
  } else if (isRecord(parent)) parent[last] = next;
  else throw missing(path);
  return value;
}

function removeAt(value: Json, path: readonly string[]): Json {
  valueAt(value, path);
  const last = path.at(-1);
  const parent = valueAt(value, path.slice(0, -1));
  if (last === undefined) return null;
  if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else if (isRecord(parent)) delete parent[last];
  return value;
}

const same = (one: Json, other: Json): boolean =>
  JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
