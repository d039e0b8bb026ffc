import { readText } from '#adapters/store';
import {
  checkConfig,
  type Config,
  type Env,
  invalidConfig,
  mergeEnv,
  type Problem,
  type ProfileFile,
  readEnvFile,
  readProfileFile,
} from '#config';
import type { Home } from '../home.ts';

export interface LoadedConfig {
  readonly config: Config;
  /** The process's variables over those of `.env`. */
  readonly env: Readonly<Record<string, string>>;
  /** The variables of `.env` alone: it holds secrets and nothing else. */
  readonly envFile: Readonly<Record<string, string>>;
  /** Where config.yaml is, or would be. */
  readonly path: string;
  /** What is odd but does not stop anything, such as an unset variable. */
  readonly warnings: readonly Problem[];
  /** `profiles/<name>.yaml` of the profile, which lies under config.yaml. */
  readonly profileFile?: ProfileFile;
}

/**
 * Defaults, under config.yaml, under the environment's own settings. A missing file is fine;
 * anything wrong throws one `config.invalid` that lists all of it.
 */
export async function loadConfig(home: Home, processEnv: Env): Promise<LoadedConfig> {
  const path = home.file('config.yaml');
  const envFile = readEnvFile((await readText(home.file('.env'))) ?? '');
  const env = mergeEnv(processEnv, envFile);
  const text = (await readText(path)) ?? '';
  const profileFile = await openProfileFile(home);
  const checked = checkConfig(text, { file: path, env, overrides: true, under: profileFile });
  if (!checked.config) throw invalidConfig(checked.problems);
  const { config, warnings } = checked;
  return { config, env, envFile, path, warnings, ...(profileFile ? { profileFile } : {}) };
}

/** Undefined where the profile has no such file. */
async function openProfileFile({ profileFile: file }: Home): Promise<ProfileFile | undefined> {
  const text = file === undefined ? undefined : await readText(file);
  return file === undefined || text === undefined ? undefined : readProfileFile(text, file);
}

/** The variables that this home sees. */
export async function loadEnv(home: Home, processEnv: Env): Promise<Record<string, string>> {
  return mergeEnv(processEnv, readEnvFile((await readText(home.file('.env'))) ?? ''));
}
