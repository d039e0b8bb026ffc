import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Provider, SandboxKind, Tool } from '#spec/ports';
import type { HookFunction, PluginCommand } from '#spec/ports';
import { findPartProblem, guardTools, type TakenNames } from './check-parts.ts';
import type { Hook } from './hooks.ts';
import { type LoadedMain, loadMain } from './load-main.ts';
import type { Manifest } from './manifest.ts';
import { shellHook } from './shell-hook.ts';

export interface OpenedPlugin {
  readonly tools: readonly Tool[];
  readonly providers: readonly Provider[];
  readonly sandboxes: readonly SandboxKind[];
  readonly commands: readonly PluginCommand[];
  readonly skills: readonly string[];
  readonly hooks: readonly Hook[];
}

interface OpenOptions {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly digest: string;
  readonly taken: TakenNames;
  readonly path: string;
  readonly timeoutMs: number;
}

const HOOK_TIMEOUT_S = 10;

/** Runs the code of an allowed plugin and takes what it brings: all of it, or nothing. */
export async function openPlugin(options: OpenOptions): Promise<OpenedPlugin | { readonly problem: string }> {
  const { folder, manifest, digest, taken, timeoutMs } = options;
  const { main, provides } = manifest;
  const loaded = main === undefined ? EMPTY : await loadMain(folder, main, digest, timeoutMs);
  if ('problem' in loaded) return loaded;
  const problem = findPartProblem(loaded.parts, provides, taken);
  if (problem) return { problem };
  const hooks: Hook[] = [];
  for (const declared of manifest.hooks) {
    const hook = hookOf(declared, options, loaded);
    if ('problem' in hook) return hook;
    hooks.push(hook);
  }
  const skills = provides.skills === undefined ? [] : [join(folder, provides.skills)];
  for (const path of skills)
    if (!(await isFolder(path))) return { problem: `there is no folder '${provides.skills}'` };
  const { providers = [], sandboxes = [], commands = [] } = loaded.parts;
  return { tools: guardTools(manifest.name, loaded.parts), providers, sandboxes, commands, skills, hooks };
}

const EMPTY: LoadedMain = { parts: {}, exports: {} };

function hookOf(
  { event, command, export: name, timeout = HOOK_TIMEOUT_S, required }: Manifest['hooks'][number],
  { folder, manifest, path }: OpenOptions,
  { exports }: LoadedMain,
): Hook | { readonly problem: string } {
  const named = { plugin: manifest.name, event, timeoutMs: timeout * 1000, required };
  if (command !== undefined) {
    const run: Hook['run'] = (told, signal) => shellHook(command, told, { cwd: folder, path, signal });
    return { ...named, label: command, run };
  }
  const label = name ?? '';
  const found = exports[label];
  if (typeof found !== 'function') return { problem: `its main file exports no function '${label}'` };
  const run: Hook['run'] = async (told, signal) =>
    (found as HookFunction)(told as Parameters<HookFunction>[0], { signal });
  return { ...named, label, run };
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ?? false;
}
