import { homedir } from 'node:os';
import { openBackends, openCommands, thisMachine } from '#adapters/sandboxes';
import { localFiles, SERVICE_URL_KEYS } from '#adapters/tools';
import { localReferences } from '#adapters/references';
import type { OpenPlace, PlaceOptions, KeptFiles } from '#app/tools';
import type { CommandPlace } from '#engines/gate';
import type { LoadedConfig } from '../config/load-config.ts';
import type { Home } from '../home.ts';
import { backendPlace, readBackends } from './home-backends.ts';
import { lazyWeb } from './lazy-web.ts';
import { toolPlace } from './tool-place.ts';
import { openWorkspaceCheckpoints } from './workspace-checkpoints.ts';
import type { Logger, ToolPowers } from '#spec/ports';
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { atomicWrite } from '#adapters/store';
import { newId } from '#kit/new-id';
import { settleAll } from '#kit/settle-all';
import type { Audience } from '#spec/data';

const COMMAND_MS = 180_000;
const MOST_OUTPUT_BYTES = 8 * 1024 * 1024;

interface Needs {
  readonly home: Home;
  readonly loaded: LoadedConfig;
  readonly log: Logger;
}

/** Opens what tools reach from a folder. */
export async function openPlace({ home, loaded, log }: Needs, options: PlaceOptions): Promise<OpenPlace> {
  const { cwd, audience, language, recall, askModel } = options;
  const userHome = loaded.env.HOME ?? homedir();
  const allowed = { HERMES_BROWSER_ALLOW: loaded.config.web.allow_private.join(',') };
  const place = toolPlace({ ...allowed, ...loaded.env }, false);
  const kept = keptFiles(home, audience);
  const web = lazyWeb(privateHosts(loaded));
  const config = await readBackends(home, loaded, options.sandboxes);
  const { backend, withoutSandbox = config.withoutSandbox ?? false } = options;
  const chosen = { ...config, withoutSandbox, ...(backend ? { default: backend } : {}) };
  const backends = openBackends(chosen, backendPlace(home, loaded, log, cwd));
  const times = new Map<string | undefined, number>();
  const commands = openCommands({
    sandboxes: async (name) => {
      const { timeoutMs } = await backends.entry(name);
      if (timeoutMs) times.set(name, timeoutMs);
      return backends.sandbox(name);
    },
    location: (name) => backends.location(name),
    readsMachine: loaded.config.tools.inspect_machine,
    bare: async () => ((await backends.works()) ? undefined : cwd),
    timeoutMs: (name) => times.get(name) ?? COMMAND_MS,
    maxOutputBytes: MOST_OUTPUT_BYTES,
    backgroundChars: 1_000_000,
    maxBackground: 16,
  });
  const held = heldResources(log);
  const files = localFiles({
    root: cwd,
    protectedPaths: [home.base],
    readablePaths: [kept.folder],
    userHome,
  });

  const powers = { ...place, files, recall, commands, web, askModel, log, keep: kept.keep, hold: held.hold };
  const references = localReferences(files, web, async (command, signal) => {
    const { workspace } = await backends.sandbox();
    return commands.run({ command, cwd: workspace }, signal);
  });

  return {
    powers,
    kept,
    workspace: await openWorkspaceCheckpoints(home, loaded, cwd, powers.program('git'), language),
    references: (onPage) => ({
      ...references,
      url: async (address, signal) => {
        const text = await references.url(address, signal);
        if (text !== undefined) await onPage();
        return text;
      },
    }),
    placeOf: {
      files: cwd,
      backend: async (name, reading = false) => {
        const bare = reading && name === undefined && loaded.config.tools.inspect_machine;
        if (bare && !(await backends.works())) return onMachine(cwd);
        const [sandbox, entry, { where }] = await Promise.all([
          backends.sandbox(name),
          backends.entry(name),
          backends.location(name),
        ]);
        return {
          backend: sandbox.name,
          cwd: commands.folder(name) ?? sandbox.workspace,
          workspace: sandbox.workspace,
          isolation: sandbox.isolation,
          network: sandbox.network,
          where,
          machine: await thisMachine(),
          denied: entry.deniedCommands,
          ...(entry.allowedCommands ? { allowed: entry.allowedCommands } : {}),
        };
      },
      process: (id) => commands.list().find((process) => process.id === id),
    },
    close: async () => {
      await closeAll(log, [commands, held]);
      await closeAll(log, [backends, web]);
    },
  };
}

/** Where the closed list of readings is taken when no sandbox works: it needs none, for it changes nothing. */
async function onMachine(cwd: string): Promise<CommandPlace> {
  const machine = await thisMachine();
  return {
    backend: 'machine',
    cwd,
    workspace: cwd,
    isolation: 'none',
    network: false,
    where: machine,
    machine,
    denied: [],
  };
}

/** Services that the user has named: their addresses are private by nature. */
const privateHosts = ({ config, env }: LoadedConfig): string[] => [
  ...config.web.allow_private,
  ...SERVICE_URL_KEYS.flatMap((name) => env[name] || []),
];

const closeAll = (log: Logger, all: readonly { close(): Promise<void> }[]): Promise<void> =>
  settleAll(
    all.map((one) => one.close()),
    (thrown) => log.warn('part.failed', { part: 'closing what tools had open', thrown }),
  );

interface HeldResources {
  readonly hold: ToolPowers['hold'];
  close(): Promise<void>;
}

/** Keeps what tools open for the length of a conversation, such as a browser. One that failed to open is tried again. */
function heldResources(log: Logger): HeldResources {
  const open = new Map<string, Promise<{ close(): Promise<void> }>>();
  return {
    hold: <T extends { close(): Promise<void> }>(name: string, make: () => Promise<T>): Promise<T> => {
      const known = open.get(name) as Promise<T> | undefined;
      if (known) return known;
      const made = make();
      open.set(name, made);
      made.catch(() => open.delete(name));
      return made;
    },
    close: async () => {
      const all = await Promise.allSettled(open.values());
      open.clear();
      await closeAll(
        log,
        all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
      );
    },
  };
}

/** What tools leave beside a conversation: long results, pictures, recordings. */
function keptFiles(home: Home, { source, user, chat }: Audience): KeptFiles {
  const owner = createHash('sha256')
    .update(JSON.stringify([source, user, chat]))
    .digest('hex')
    .slice(0, 16);
  const folder = join(home.dir('artifacts'), owner);
  return {
    folder,
    keep: async (name, bytes) => {
      const extension = extname(name).replace(/[^\w.]/g, '');
      const stem = name
        .slice(0, name.length - extname(name).length)
        .replace(/[^\w-]+/g, '-')
        .slice(0, 40);
      const path = join(folder, `${newId(stem || 'file')}${extension}`);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await atomicWrite(path, bytes);
      return path;
    },
  };
}
