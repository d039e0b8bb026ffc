import { say, tell } from '#kit/text';
import { fail } from '#kit/app-error';
import { nearest } from '#kit/nearest';
import type { Missing, Sandbox, SandboxKind, SandboxPlace } from '#spec/ports';
import { type BackendLocation, backendLocation } from './backend-location.ts';
import { thisMachine } from './machine/this-machine.ts';
import { type BackendConfig, type BackendEntry, BUILT_IN } from './parse-backends.ts';
import { loadKind } from './sandbox-kinds.ts';

export interface ListedBackend {
  readonly name: string;
  readonly type: string;
  /** Why it cannot work here. */
  readonly missing?: Missing;
}

/** The backends of one conversation. */
export interface Backends {
  /**
   * The sandbox of a backend, opened once. Without a name, that of the default. Rejects where it cannot work, and for a
   * built-in one that neither is the default nor stands in the file: naming it would be a way around the default.
   */
  sandbox(name?: string): Promise<Sandbox>;
  /** What is configured for a backend: its lists of commands and its time. */
  entry(name?: string): Promise<BackendEntry>;
  /** Where commands of a backend run, and what can be read of a machine from there. */
  location(name?: string): Promise<BackendLocation>;
  /**
   * Which backend serves where none is named. `missing`: why it does not work, or, for plain processes, why it is not
   * bubblewrap.
   */
  choice(): Promise<ListedBackend>;
  /** Whether commands run where no backend is named. */
  works(): Promise<boolean>;
  /** All of them, and which cannot work here. */
  list(): Promise<readonly ListedBackend[]>;
  close(): Promise<void>;
}

export function openBackends(config: BackendConfig, place: Omit<SandboxPlace, 'name'>): Backends {
  const entries = withBuiltIns(config.entries);
  const opened = new Map<string, Promise<Sandbox>>();
  let chosen: Promise<ListedBackend> | undefined;
  let machine: Promise<string> | undefined;
  let isClosed = false;

  const find = (name: string): BackendEntry => {
    const entry = entries.find((candidate) => candidate.name === name);
    if (entry) return entry;
    const names = entries.map((candidate) => candidate.name);
    const meant = nearest(name, names);
    const hint = meant ? `Did you mean '${meant}'?` : `There are: ${names.join(', ')}.`;
    throw fail('input.invalid', `There is no backend '${name}'.`, hint);
  };
  const missingOf = async (entry: BackendEntry): Promise<Missing | undefined> =>
    loaded(entry).then(({ kind, options }) => kind.available(options, { ...place, name: entry.name }));
  const choice = () => (chosen ??= choose(config, find, missingOf));
  const entryOf = async (name?: string) => {
    const { name: usual, missing } = await choice();
    const entry = find(name ?? usual);
    if (missing && entry.name === usual && !config.withoutSandbox) throw noSandbox(missing);
    if (entry.name === usual || config.entries.includes(entry)) return entry;
    throw fail(
      'tool.refused',
      `The backend '${entry.name}' may not be named: it does not stand in backends.yaml.`,
      `Leave it out to use '${usual}'.`,
    );
  };

  const sandbox = async (name?: string): Promise<Sandbox> => {
    const entry = await entryOf(name);
    if (isClosed) throw fail('tool.failed', 'The backends are closed.');
    const open = opened.get(entry.name) ?? openOne(entry, place);
    opened.set(entry.name, open);
    open.catch(() => opened.delete(entry.name));
    return open;
  };

  return {
    entry: entryOf,
    choice,
    works: async () => (await choice()).missing === undefined || config.withoutSandbox === true,
    sandbox,
    async location(name) {
      machine ??= thisMachine();
      return backendLocation(await entryOf(name), await sandbox(name), await machine);
    },
    list: () =>
      Promise.all(
        entries.map(async (entry) => {
          const missing = await missingOf(entry);
          return { name: entry.name, type: entry.type, ...(missing ? { missing } : {}) };
        }),
      ),
    async close() {
      isClosed = true;
      const all = await Promise.allSettled(opened.values());
      const open = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      await Promise.all(open.map((one) => one.close()));
    },
  };
}

const noSandbox = ({ what, fix }: Missing) => {
  const instead = 'hermes config set gate.without_sandbox true';
  return fail(
    'tool.refused',
    tell(
      `No command runs here: ${say(what, 'en')} Without it, commands would run on this machine with nothing between.`,
      `这里不执行命令:${say(what, 'zh')} 没有它,命令将毫无隔离地在本机运行。`,
    ),
    tell(
      `${say(fix, 'en')} Or let them, with the gate alone before them: ${instead}`,
      `${say(fix, 'zh')} 或仅由门禁把关地允许:${instead}`,
    ),
  );
};

/** The configured default, else bubblewrap; else plain processes, where the configuration says so. */
async function choose(
  config: BackendConfig,
  find: (name: string) => BackendEntry,
  missingOf: (entry: BackendEntry) => Promise<Missing | undefined>,
): Promise<ListedBackend> {
  const { name, type } = find(config.default ?? 'bubblewrap');
  if (config.default !== undefined) return { name, type };
  const missing = await missingOf(find('bubblewrap'));
  if (!missing) return { name, type };
  return config.withoutSandbox
    ? { name: 'local', type: find('local').type, missing }
    : { name, type, missing };
}

/** A built-in backend has no options in a file; it takes what its kind takes for granted. */
function withBuiltIns(entries: readonly BackendEntry[]): BackendEntry[] {
  const names = new Set(entries.map(({ name }) => name));
  const plain = BUILT_IN.filter((name) => !names.has(name));
  return [...entries, ...plain.map((name) => ({ name, type: name, deniedCommands: [], options: undefined }))];
}

async function openOne(entry: BackendEntry, place: Omit<SandboxPlace, 'name'>): Promise<Sandbox> {
  const { kind, options } = await loaded(entry);
  return kind.open(options, { ...place, name: entry.name });
}

async function loaded({
  type,
  name,
  options,
  kind: brought,
}: BackendEntry): Promise<{ kind: SandboxKind; options: unknown }> {
  const kind = brought ?? (await loadKind(type));
  if (!kind) throw fail('config.invalid', `Backend '${name}': there is no type '${type}'.`);
  return { kind, options: options ?? kind.options.parse({}) };
}
