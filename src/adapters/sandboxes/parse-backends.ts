import { z } from 'zod';
import type { AppError } from '#kit/app-error';
import { isRecord } from '#kit/is-record';
import { nearest } from '#kit/nearest';
import type { SandboxKind } from '#spec/ports';
import { invalidBackends, type KeyPath } from '#adapters/io/invalid-backends';
import { kindNames, loadKind } from './sandbox-kinds.ts';

/** One backend of `backends.yaml`. The gate reads the lists of commands; the kind has read its options. */
export interface BackendEntry {
  readonly name: string;
  readonly type: string;
  readonly allowedCommands?: readonly string[];
  readonly deniedCommands: readonly string[];
  readonly timeoutMs?: number;
  readonly options: unknown;
  /** Where it is no kind of ours. */
  readonly kind?: SandboxKind;
}

export interface BackendConfig {
  readonly entries: readonly BackendEntry[];
  /** The backend that serves where none is named. */
  readonly default?: string;
  /** Whether plain processes of this machine may serve where no default is named and bubblewrap does not work. */
  readonly withoutSandbox?: boolean;
}

const Shared = z.object({
  name: z.string().regex(/^[\w.-]{1,64}$/, 'must be up to 64 letters, digits, dots, hyphens and underscores'),
  type: z.string(),
  allowed_commands: z.array(z.string().min(1)).optional(),
  denied_commands: z.array(z.string().min(1)).default([]),
  /** Seconds. */
  timeout: z.number().positive().max(86_400).optional(),
});
/** Of the whole file: telemetry and executors are read by whoever looks into incidents. */
const KEYS = ['backends', 'default', 'telemetry', 'executors'];
const SHARED_KEYS = Object.keys(Shared.shape);

/** Reads `backends.yaml`; `more` are kinds that plugins bring. Throws `config.invalid`, naming the entry and the key. */
export async function parseBackends(
  value: unknown,
  more: readonly SandboxKind[] = [],
): Promise<BackendConfig> {
  if (value === undefined || value === null) return { entries: [] };
  if (!isRecord(value)) throw invalid([], 'it must hold `backends:` and a list.');
  const strange = Object.keys(value).find((key) => !KEYS.includes(key));
  if (strange !== undefined)
    throw invalid([strange], `Unknown key '${strange}'`, { word: strange, candidates: KEYS });
  const list = value['backends'] ?? [];
  if (!Array.isArray(list)) throw invalid(['backends'], '`backends` must be a list.');
  const entries: BackendEntry[] = [];
  for (const [at, entry] of list.entries()) entries.push(await parseEntry(entry, at, more));
  const names = entries.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw invalid(['backends', names.lastIndexOf(twice), 'name'], `Two backends are named '${twice}'.`);
  const chosen = value['default'];
  if (chosen === undefined) return { entries };
  if (typeof chosen !== 'string') throw invalid(['default'], '`default` must be the name of a backend.');
  if (!names.includes(chosen) && !BUILT_IN.includes(chosen)) {
    throw invalid(['default'], `there is no backend '${chosen}'`, {
      word: chosen,
      candidates: [...names, ...BUILT_IN],
    });
  }
  return { entries, default: chosen };
}

/** Backends that need no entry: named as their type. */
export const BUILT_IN: readonly string[] = ['bubblewrap', 'local'];

async function parseEntry(entry: unknown, at: number, more: readonly SandboxKind[]): Promise<BackendEntry> {
  const where =
    isRecord(entry) && typeof entry['name'] === 'string' ? `backend '${entry['name']}'` : `backends[${at}]`;
  const place: KeyPath = ['backends', at];
  if (!isRecord(entry)) throw invalid(place, `${where} must be a mapping.`);
  const type = entry['type'];
  if (typeof type !== 'string')
    throw invalid(place, `${where}: 'type' is missing. It is one of ${kindNames(more).join(', ')}`);
  const kind = await loadKind(type, more);
  if (!kind)
    throw invalid([...place, 'type'], `${where}: there is no type '${type}'`, {
      word: type,
      candidates: kindNames(more),
    });
  const own = Object.fromEntries(Object.entries(entry).filter(([key]) => !SHARED_KEYS.includes(key)));
  const shared = Shared.safeParse(entry);
  if (!shared.success) throw issueOf(place, where, shared.error, kind);
  const options = kind.options.safeParse(own);
  if (!options.success) throw issueOf(place, where, options.error, kind);
  const { name, allowed_commands, denied_commands, timeout } = shared.data;
  return {
    name,
    type,
    options: options.data,
    ...(more.includes(kind) ? { kind } : {}),
    deniedCommands: denied_commands,
    ...(allowed_commands ? { allowedCommands: allowed_commands } : {}),
    ...(timeout === undefined ? {} : { timeoutMs: timeout * 1_000 }),
  };
}

function issueOf(place: KeyPath, where: string, error: z.ZodError, kind: SandboxKind): AppError {
  const issue = error.issues[0];
  const path = issue?.path.join('.') ?? '';
  const below = [...place, ...((issue?.path ?? []) as KeyPath)];
  if (issue?.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    const at = path === '' ? '' : `${path}.`;
    return invalid([...below, key], `${where}: unknown key '${at}${key}'`, {
      word: key,
      candidates: path === '' ? keysOf(kind) : [],
    });
  }
  return invalid(below, `${where}: '${path}': ${issue?.message ?? 'it is not valid'}`);
}

const keysOf = ({ options }: SandboxKind): string[] => [
  ...SHARED_KEYS,
  ...(options instanceof z.ZodObject ? Object.keys(options.shape) : []),
];

interface Asked {
  readonly word?: string;
  readonly candidates?: readonly string[];
}

function invalid(path: KeyPath, message: string, { word, candidates = [] }: Asked = {}): AppError {
  return invalidBackends(
    path,
    message,
    word === undefined ? undefined : nearest(word, candidates),
    candidates,
  );
}
