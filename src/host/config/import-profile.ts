import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { atomicWrite, readText } from '#adapters/store';
import { fail } from '#kit/app-error';
import { isRecord } from '#kit/is-record';
import {
  checkConfig,
  type Config,
  type ConfigPath,
  ConfigSchema,
  formatPath,
  formatProblem,
  invalidConfig,
  isReference,
  nameSecrets,
  parsePath,
  readYaml,
  replaceAt,
  ROOT,
  secretsIn,
  setEnvValue,
} from '#config';
import { checkProfileName, type Home } from '../home.ts';
import { type CreatedProfile, filled, makeFolder } from '../profiles.ts';

type Blocks = Record<string, unknown>;

/**
 * Makes a profile out of `profiles/<name>.yaml`, once. What the configuration knows goes to config.yaml,
 * secrets to `.env`, and all the rest to imported.yaml with a note: nothing is lost. The file itself stays, as
 * `<name>.yaml.imported`.
 */
export async function importProfileFile(
  home: Home,
  name: string,
  options: { readonly secretName: (config: Config, path: string) => string },
): Promise<CreatedProfile> {
  checkProfileName(name);
  const file = join(home.base, 'profiles', `${name}.yaml`);
  const text = await readText(file);
  if (text === undefined)
    throw fail('profile.not_found', `There is no ${file}`, `hermes profile create ${name}`);
  const { data, problems } = readYaml(text, file);
  if (problems.length > 0) throw invalidConfig(problems);
  const { description, blocks, notes } = readForm(data, file, name);
  const { config: known, rest, notes: kept } = sortOut(blocks);
  const made = await makeFolder(home, name);
  const imported = `${file}.imported`;
  return filled(made, async () => {
    const { config, notes: moved } = await writeSecrets(made, known, options.secretName);
    const head = description === '' ? '' : `${description.replace(/^/gm, '# ')}\n`;
    await atomicWrite(
      made.file('config.yaml'),
      head + (Object.keys(known).length > 0 ? stringify(config) : ''),
    );
    if (Object.keys(rest).length > 0) await atomicWrite(made.file('imported.yaml'), stringify(rest));
    const cleartext =
      moved.length > 0 ? [`${imported} still holds keys in clear text: delete it when all is well`] : [];
    // From here on config.yaml speaks: under its own name, the file would still lie beneath it.
    await rename(file, imported);
    return [...notes, ...kept, ...moved, ...cleartext];
  });
}

/** Blocks may stand inside `profile` or beside it. */
function readForm(
  data: unknown,
  file: string,
  asked: string,
): { description: string; blocks: Blocks; notes: string[] } {
  if (!isRecord(data) || !isRecord(data['profile'])) {
    const message = `${file} must have a "profile" group, with the name and the settings of the profile`;
    throw fail('profile.invalid', message);
  }
  const { profile, ...beside } = data;
  const { name, description, ...inside } = profile as Blocks;
  const blocks = { ...beside, ...inside };
  const notes: string[] = [];
  if (typeof name === 'string' && name !== asked)
    notes.push(`The file calls itself "${name}"; the profile is "${asked}"`);
  if (typeof description === 'string') return { description, blocks, notes };
  return { description: '', blocks: description === undefined ? blocks : { ...blocks, description }, notes };
}

/** Splits blocks into what the schema accepts and what it does not, down to single keys. */
function sortOut(blocks: Blocks): { config: Blocks; rest: Blocks; notes: string[] } {
  const config = structuredClone(blocks);
  const rest: Blocks = {};
  const notes: string[] = [];
  for (;;) {
    const { problems } = checkConfig(stringify(config), { file: 'imported', env: {}, overrides: false });
    if (problems.length === 0) return { config, rest, notes };
    const [problem] = problems;
    const path = problem ? removable(config, parsePath(problem.path)) : [];
    if (!problem || path.length === 0) throw invalidConfig(problems);
    moveTo(rest, config, path);
    const known = Object.hasOwn(ConfigSchema.shape, String(path[0]));
    const why = known
      ? formatProblem({ source: 'not taken over', path: problem.path, message: problem.message })
      : undefined;
    notes.push(why ?? `${formatPath(path)}: kept in imported.yaml, as config.yaml has no such group`);
  }
}

/** The path itself, or what holds it where a missing key is the problem. Lists are moved whole. */
function removable(config: Blocks, path: ConfigPath): ConfigPath {
  let value: unknown = config;
  for (const [depth, segment] of path.entries()) {
    if (Array.isArray(value)) return path.slice(0, depth);
    if (!isRecord(value) || !Object.hasOwn(value, segment)) return path.slice(0, depth);
    value = value[segment];
  }
  return path;
}

function moveTo(rest: Blocks, config: Blocks, path: ConfigPath): void {
  let from: Blocks = config;
  let to: Blocks = rest;
  for (const segment of path.slice(0, -1)) {
    from = from[segment] as Blocks;
    to = (to[segment] ??= {}) as Blocks;
  }
  const last = String(path.at(-1));
  to[last] = from[last];
  delete from[last];
}

/** Writes secrets to the profile's own `.env`; gives the blocks that refer to them, and says which they are. */
async function writeSecrets(
  made: Home,
  blocks: Blocks,
  secretName: (config: Config, path: string) => string,
): Promise<{ config: unknown; notes: string[] }> {
  const bare = secretsIn(blocks, ROOT).filter(({ value }) => value !== '' && !isReference(value));
  if (bare.length === 0) return { config: blocks, notes: [] };
  const parsed = ConfigSchema.parse(blocks);
  const named = nameSecrets(bare, blocks, {}, (path) => secretName(parsed, path));
  const env = named.reduce((text, { variable, secret }) => setEnvValue(text, variable, secret), '');
  await atomicWrite(made.file('.env'), env, { mode: 0o600 });
  return {
    config: named.reduce<unknown>(
      (whole, { path, variable }) => replaceAt(whole, path, `\${${variable}}`),
      blocks,
    ),
    notes: named.map(({ path, variable }) => `${formatPath(path)}: the key went to .env as ${variable}`),
  };
}
