import { homedir } from 'node:os';
import { type Backends, openBackends, openCommands, thisMachine } from '#adapters/sandboxes';
import { localFiles, SERVICE_URL_KEYS } from '#adapters/tools';
import type { CommandPlace } from '#engines/gate';
import type { Audience } from '#spec/data';
import type { AskModel, BackgroundProcess, SandboxKind, SessionRecall, ToolPowers } from '#spec/ports';
import type { LoadedConfig } from '../config/load-config.ts';
import type { Home } from '../home.ts';
import { backendPlace, readBackends } from './backend-place.ts';
import { heldResources } from './held-resources.ts';
import { type KeptFiles, keptFiles } from './kept-files.ts';
import { lazyWeb } from './lazy-web.ts';
import { toolPlace } from './tool-place.ts';

/** Everything that the tools of one conversation can reach, and what has to be closed with it. */
export interface OpenPowers {
  readonly powers: ToolPowers;
  readonly kept: KeptFiles;
  readonly backends: Backends;
  readonly placeOf: PlaceOf;
  close(): Promise<void>;
}

/** Where things happen, as the gate has to know it before they do. */
export interface PlaceOf {
  /** Where the relative paths of file tools begin. */
  readonly files: string;
  /** Where a command of the named backend, or of the default one, would run now. */
  backend(name: string | undefined): Promise<CommandPlace>;
  /** What was left running under this id. */
  process(id: string): BackgroundProcess | undefined;
}

export interface PowerOptions {
  readonly home: Home;
  readonly loaded: LoadedConfig;
  readonly cwd: string;
  readonly audience: Audience;
  readonly recall: SessionRecall;
  readonly askModel: AskModel;
  /** The backend that commands run in unless they name another; without it, the one of the home. */
  readonly backend?: string | undefined;
  /** What a person has said just now about commands where there is no sandbox. */
  readonly withoutSandbox?: boolean | undefined;
  /** Kinds that plugins bring. */
  readonly sandboxes: readonly SandboxKind[];
}

const COMMAND_MS = 180_000;
const MOST_OUTPUT_BYTES = 8 * 1024 * 1024;

export async function openPowers(options: PowerOptions): Promise<OpenPowers> {
  const { home, loaded, cwd, audience, recall, askModel } = options;
  const userHome = loaded.env.HOME ?? homedir();
  const allowed = { HERMES_BROWSER_ALLOW: loaded.config.web.allow_private.join(',') };
  const place = toolPlace({ ...allowed, ...loaded.env }, false);
  const kept = keptFiles(home, audience);
  const web = lazyWeb(privateHosts(loaded));
  const config = await readBackends(home, loaded, options.sandboxes);
  const { backend, withoutSandbox = config.withoutSandbox ?? false } = options;
  const chosen = { ...config, withoutSandbox, ...(backend ? { default: backend } : {}) };
  const backends = openBackends(chosen, backendPlace(home, loaded, cwd));
  const times = new Map<string | undefined, number>();
  const commands = openCommands({
    sandboxes: async (name) => {
      const { timeoutMs } = await backends.entry(name);
      if (timeoutMs) times.set(name, timeoutMs);
      return backends.sandbox(name);
    },
    location: (name) => backends.location(name),
    readsMachine: loaded.config.tools.inspect_machine,
    timeoutMs: (name) => times.get(name) ?? COMMAND_MS,
    maxOutputBytes: MOST_OUTPUT_BYTES,
    backgroundChars: 1_000_000,
    maxBackground: 16,
  });
  const held = heldResources();
  const files = localFiles({
    root: cwd,
    protectedPaths: [home.base],
    readablePaths: [kept.folder],
    userHome,
  });

  return {
    powers: { ...place, files, recall, commands, web, askModel, keep: kept.keep, hold: held.hold },
    kept,
    backends,
    placeOf: {
      files: cwd,
      backend: async (name) => {
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
      await Promise.allSettled([commands.close(), held.close()]);
      await Promise.allSettled([backends.close(), web.close()]);
    },
  };
}

/** Services that the user has named: their addresses are private by nature. */
const privateHosts = ({ config, env }: LoadedConfig): string[] => [
  ...config.web.allow_private,
  ...SERVICE_URL_KEYS.flatMap((name) => env[name] || []),
];
