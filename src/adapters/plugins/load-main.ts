import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { defineProvider, defineSandbox, defineTool } from '#spec/ports';
import type { PluginApi, PluginMain, PluginParts } from '#spec/ports';
import { tryOut } from './trial.ts';

const API: PluginApi = {
  z,
  defineTool,
  defineProvider,
  defineSandbox,
  defineCommand: (command) => command,
};

export interface LoadedMain {
  readonly parts: PluginParts;
  readonly exports: Readonly<Record<string, unknown>>;
}

/**
 * Imports the main file of a plugin and lets it bring its parts. First on trial, in a thread that can be ended; only
 * what came through that is loaded here. The digest keeps an older state of the same file from being taken.
 */
export async function loadMain(
  folder: string,
  main: string,
  digest: string,
  timeoutMs: number,
): Promise<LoadedMain | { readonly problem: string }> {
  const url = `${pathToFileURL(join(folder, main)).href}?digest=${digest.slice(0, 16)}`;
  const problem = await tryOut(url, timeoutMs);
  if (problem) return { problem };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<{ problem: string }>((resolve) => {
    timer = setTimeout(() => resolve({ problem: `it did not load within ${timeoutMs / 1000} s` }), timeoutMs);
  });
  const load = async (): Promise<LoadedMain> => {
    const exports = (await import(url)) as Record<string, unknown> & { readonly default: PluginMain };
    return { exports, parts: await exports.default({ ...API }) };
  };
  try {
    return await Promise.race([load(), late]);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
  }
}
