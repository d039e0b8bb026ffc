import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Language } from '#kit/language';
import type { Provider, SandboxKind, Tool, PluginCommand, RunHooks } from '#spec/ports';
import { allowanceOf } from './allowance.ts';
import { partNames, type PartKind, type TakenNames } from './check-parts.ts';
import { type Hook, hookRunner, type HookTrouble } from './hooks.ts';
import { type Inspected, inspectPlugin } from './inspect-plugin.ts';
import { openPlugin } from './open-plugin.ts';

export interface PluginsOptions {
  /** The `plugins` folder of the home. It need not exist. */
  readonly folder: string;
  /** `plugins.allowed` of the configuration. */
  readonly allowed: readonly string[];
  readonly language: Language;
  /** What is built in. */
  readonly taken: Readonly<Record<PartKind, readonly string[]>>;
  /** Where shell hooks look for programs. */
  readonly path: string;
  /** Told when a hook fails, once, and when it is switched off. */
  readonly report: (trouble: HookTrouble) => void;
  readonly loadTimeoutMs?: number;
}

export interface PluginView {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly state: 'on' | 'off' | 'broken';
  /** Why it is not on, and what can be done: a sentence for a person. */
  readonly problem?: string;
  /** What it says that it brings, such as `tool deploys` or `hook tool.before`. */
  readonly provides: readonly string[];
  /** What allows it as it is now; absent where its contents cannot be read. */
  readonly allowance?: string;
}

export interface LoadedPlugins {
  readonly plugins: readonly PluginView[];
  readonly tools: readonly Tool[];
  readonly providers: readonly Provider[];
  readonly sandboxes: readonly SandboxKind[];
  readonly commands: readonly PluginCommand[];
  /** Folders that hold skills. */
  readonly skills: readonly string[];
  readonly runHooks: RunHooks;
}

const LOAD_TIMEOUT_MS = 5_000;

/** Loads what is allowed, in the order of the names. Whatever is wrong with a plugin, the others are loaded. */
export async function loadPlugins(options: PluginsOptions): Promise<LoadedPlugins> {
  const text = PLUGIN_TEXTS[options.language];
  const plugins: PluginView[] = [];
  const hooks: Hook[] = [];
  const brought = {
    tools: [] as Tool[],
    providers: [] as Provider[],
    sandboxes: [] as SandboxKind[],
    commands: [] as PluginCommand[],
  };
  const skills: string[] = [];

  for (const name of await folderNames(options.folder)) {
    const folder = join(options.folder, name);
    const seen = await inspectPlugin(folder, name, options.allowed);
    if (seen.state !== 'allowed') {
      const allowance = seen.digest === undefined ? '' : allowanceOf(name, seen.digest);
      if (seen.state === 'broken') plugins.push(viewOf(name, seen, 'broken', text.broken(seen.problem)));
      else if (seen.state === 'changed') plugins.push(viewOf(name, seen, 'off', text.changed(allowance)));
      else plugins.push(viewOf(name, seen, 'off', text.notAllowed(allowance)));
      continue;
    }
    const opened = await openPlugin({
      folder,
      manifest: seen.manifest,
      digest: seen.digest,
      taken: takenBy(options.taken, brought),
      path: options.path,
      timeoutMs: options.loadTimeoutMs ?? LOAD_TIMEOUT_MS,
    });
    if ('problem' in opened) {
      plugins.push(viewOf(name, seen, 'broken', text.broken(opened.problem)));
      continue;
    }
    brought.tools.push(...opened.tools);
    brought.providers.push(...opened.providers);
    brought.sandboxes.push(...opened.sandboxes);
    brought.commands.push(...opened.commands);
    skills.push(...opened.skills);
    hooks.push(...opened.hooks);
    plugins.push(viewOf(name, seen, 'on'));
  }
  return { plugins, ...brought, skills, runHooks: hookRunner(hooks, options.report) };
}

/** Folders are plugins; files beside them are not. A folder of plugins that cannot be read holds none. */
async function folderNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort();
}

function takenBy(
  builtIn: PluginsOptions['taken'],
  brought: Readonly<Record<PartKind, readonly object[]>>,
): TakenNames {
  const both = (kind: PartKind) => new Set([...builtIn[kind], ...partNames(brought[kind])]);
  return {
    tools: both('tools'),
    providers: both('providers'),
    sandboxes: both('sandboxes'),
    commands: both('commands'),
  };
}

function viewOf(
  name: string,
  { manifest, digest }: Inspected,
  state: PluginView['state'],
  problem?: string,
): PluginView {
  const { tools = [], providers = [], sandboxes = [], commands = [], skills } = manifest?.provides ?? {};
  return {
    name,
    version: manifest?.version ?? '',
    description: manifest?.description ?? '',
    state,
    ...(problem === undefined ? {} : { problem }),
    provides: [
      ...tools.map((tool) => `tool ${tool}`),
      ...providers.map((provider) => `provider ${provider}`),
      ...sandboxes.map((sandbox) => `sandbox ${sandbox}`),
      ...commands.map((command) => `command ${command}`),
      ...(skills === undefined ? [] : ['skills']),
      ...(manifest?.hooks ?? []).map(({ event }) => `hook ${event}`),
    ],
    ...(digest === undefined ? {} : { allowance: allowanceOf(name, digest) }),
  };
}

interface PluginTexts {
  notAllowed(entry: string): string;
  changed(entry: string): string;
  broken(why: string): string;
}

/** The sentences about the state of a plugin. What exactly is broken stays in the words of its authors' language. */
const PLUGIN_TEXTS: Readonly<Record<Language, PluginTexts>> = {
  en: {
    notAllowed: (entry) =>
      `It has not been allowed. To allow it as it is now, add "${entry}" to plugins.allowed.`,
    changed: (entry) =>
      `It is not what was allowed: its files have changed. Look at them; to allow it as it is now, put "${entry}" into plugins.allowed.`,
    broken: (why) => `It was left out: ${why}.`,
  },
  zh: {
    notAllowed: (entry) => `尚未允许。如要按当前内容允许,请将 "${entry}" 加入 plugins.allowed。`,
    changed: (entry) =>
      `其文件与允许时不同。请先检查;如要按当前内容允许,请将 "${entry}" 写入 plugins.allowed。`,
    broken: (why) => `已跳过:${why}。`,
  },
};
