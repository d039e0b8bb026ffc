import { fail } from '#kit/app-error';
import { isRecord } from '#kit/is-record';
import { nearest } from '#kit/nearest';
import { mergeEnv, readEnvFile, setEnvValue } from './env-file.ts';
import type { Env } from './env-file.ts';
import { checkConfig } from './check-config.ts';
import { type ConfigPath, formatPath } from './config-path.ts';
import { maskSecrets } from './describe-config.ts';
import { overriddenBy } from './env-overrides.ts';
import { isReference, references, fromText } from './expand.ts';
import { childOf, type Field, keysOf, expectation } from './field.ts';
import { invalidConfig } from './invalid-config.ts';
import { type ResolvedPath, resolvePath } from './resolve-path.ts';
import { type Config, ROOT } from './schema.ts';
import { nameSecrets, replaceAt, secretsIn } from './secrets.ts';
import { deleteIn, editYaml, setIn } from './yaml-edit.ts';
import { readYaml } from './yaml-source.ts';
import { parse } from 'yaml';
import { z } from 'zod';

export interface EditOptions {
  /** The process's variables, without those of `.env`. */
  readonly env: Env;
  /** The variable that should hold the secret of a key, such as the usual one of its provider. */
  readonly secretName: (config: Config, path: string) => string;
  /** Throws where a name in the result stands for nothing, such as a provider that does not exist. */
  readonly check?: (config: Config) => void;
}

export type UnsetOptions = Pick<EditOptions, 'env'> & Partial<Pick<EditOptions, 'secretName'>>;

/** What an edit did, for a person to be told. */
export interface Edited {
  /** The key in full. */
  readonly path: string;
  /** config.yaml. */
  readonly file: string;
  readonly changed: boolean;
  /** Secrets that went to `.env`. A shadowed one has no effect while the process has its own value. */
  readonly secrets: readonly {
    readonly path: string;
    readonly variable: string;
    readonly shadowed: boolean;
  }[];
  /** Variables that held what was removed: taken out of `.env` too, or, where they must stay, still there. */
  readonly removedFromEnv: readonly string[];
  readonly leftInEnv: readonly string[];
  /** The variable of a key that was another provider's: it stays in `.env` and is not sent to this one. */
  readonly formerKey?: string;
  /** An environment variable that decides this key whatever config.yaml says. */
  readonly overriddenBy?: string;
}

/** The two texts that the configuration of a home is written in. */
export interface ConfigTexts {
  /** Where config.yaml is. */
  readonly file: string;
  readonly text: string;
  readonly envText: string;
}

/** What both become, and what that means to a person. */
export interface Edit extends Omit<ConfigTexts, 'file'> {
  readonly edited: Edited;
}

/** The value of a key, fit to be shown: secrets are masked. Undefined for a key that is known but not set. */
export function getConfigValue(config: Config, key: string): unknown {
  const { path, field: asked } = resolvePath(key);
  let value: unknown = maskSecrets(config);
  let field: Field | undefined = ROOT;
  for (const [depth, segment] of path.entries()) {
    const held = isRecord(value) || Array.isArray(value) ? (value as Record<string | number, unknown>) : {};
    const namedByUser = field && !keysOf(field);
    if (namedByUser && !Object.hasOwn(held, segment))
      throw absent(path.slice(0, depth + 1), Object.keys(held));
    value = Object.hasOwn(held, segment) ? held[segment] : undefined;
    field = field && childOf(field, segment);
  }
  return value ?? (asked.doc?.secret ? '[not set]' : undefined);
}

/**
 * Sets a key in config.yaml, and nothing unless the whole result is valid. Secrets go to `.env`;
 * config.yaml then holds `${NAME}`.
 */
export function setInTexts(texts: ConfigTexts, key: string, typed: string, options: EditOptions): Edit {
  const at = resolvePath(key);
  const value = parseValue(typed, at);
  if (at.field.doc?.secret && value === '') {
    throw fail(
      'input.invalid',
      `${formatPath(at.path)}: the value is empty`,
      `To remove it: hermes config unset ${key}`,
    );
  }
  return edit(texts, at, options, ({ file, text, envText }) => {
    const trial = editYaml(text, (document) => setIn(document, at.path, value));
    const config = validated(trial, file, mergeEnv(options.env, readEnvFile(envText)));
    options.check?.(config);
    const bare = secretsIn(value, at.field, at.path).filter(
      (secret) => secret.value !== '' && !isReference(secret.value),
    );
    const named = nameSecrets(bare, readYaml(trial, '').data, readEnvFile(envText), (path) =>
      options.secretName(config, path),
    );
    const written = named.reduce<unknown>(
      (whole, { path, variable }) => replaceAt(whole, path.slice(at.path.length), `\${${variable}}`),
      value,
    );
    const moved = followProvider(at.path, { ...texts, trial, config }, options);
    if (moved) return moved;
    return {
      text: editYaml(text, (document) => setIn(document, at.path, written)),
      envText: named.reduce((env, { variable, secret }) => setEnvValue(env, variable, secret), envText),
      secrets: named.map(({ path, variable, secret }) => ({
        path: formatPath(path),
        variable,
        shadowed: Boolean(options.env[variable]) && options.env[variable] !== secret,
      })),
    };
  });
}

/**
 * Takes a key out of config.yaml, so that its default applies. With `secretName` its secret goes too, wherever it lies in
 * `.env`: in the variable that was referred to, or in the one that is looked for by itself. Without, secrets stay.
 */
export function unsetInTexts(texts: ConfigTexts, key: string, options: UnsetOptions): Edit {
  const at = resolvePath(key);
  return edit(texts, at, options, ({ file, text, envText }) => {
    const env = readEnvFile(envText);
    let removed = false;
    const result = editYaml(text, (document) => {
      removed = deleteIn(document, at.path);
    });
    const config = validated(result, file, mergeEnv(options.env, env));
    const before = secretsIn(readYaml(text, '').data, ROOT).flatMap(({ value }) => references(value));
    const left = before.filter((name) => !result.includes(`\${${name}}`) && Object.hasOwn(env, name));
    const usual = at.field.doc?.secret ? options.secretName?.(config, formatPath(at.path)) : undefined;
    const held = [...new Set([...left, ...(usual && Object.hasOwn(env, usual) ? [usual] : [])])];
    const gone = options.secretName ? held.filter((name) => !result.includes(`\${${name}}`)) : [];
    return {
      text: removed ? result : text,
      envText: gone.reduce((kept, name) => setEnvValue(kept, name, undefined), envText),
      secrets: [],
      removedFromEnv: gone,
      leftInEnv: held.filter((name) => !gone.includes(name)),
    };
  });
}

interface Draft {
  readonly text: string;
  readonly envText: string;
  readonly secrets: Edited['secrets'];
  readonly removedFromEnv?: readonly string[];
  readonly leftInEnv?: readonly string[];
  readonly formerKey?: string;
}

const API_KEY: ConfigPath = ['llm', 'api_key'];

/**
 * A key belongs to the provider that it was set for. One that was set before there was any is given to the first; one of
 * another provider is not carried to the new one. Undefined where neither is the case.
 */
function followProvider(
  path: ConfigPath,
  { file: name, text, trial, envText, config }: ConfigTexts & { trial: string; config: Config },
  { env, secretName }: EditOptions,
): Draft | undefined {
  if (formatPath(path) !== 'llm.provider') return undefined;
  const file = readEnvFile(envText);
  const before = validated(text, name, mergeEnv(env, file));
  const [key] = secretsIn(readYaml(text, '').data, ROOT).filter(
    (one) => formatPath(one.path) === 'llm.api_key',
  );
  const [held] = key ? references(key.value) : [];
  const own = secretName(before, 'llm.api_key');
  const wanted = secretName(config, 'llm.api_key');
  if (held === undefined || held !== own || wanted === own) return undefined;
  const secret = file[held];
  if (before.llm.provider !== undefined || secret === undefined)
    return {
      text: editYaml(trial, (document) => void deleteIn(document, API_KEY)),
      envText,
      secrets: [],
      formerKey: held,
    };
  const variable = file[wanted] && file[wanted] !== secret ? `${wanted}_2` : wanted;
  return {
    text: editYaml(trial, (document) => setIn(document, API_KEY, `\${${variable}}`)),
    envText: setEnvValue(setEnvValue(envText, held, undefined), variable, secret),
    secrets: [
      { path: 'llm.api_key', variable, shadowed: Boolean(env[variable]) && env[variable] !== secret },
    ],
  };
}

/** Lets `change` write both texts anew, and says what that did. */
function edit(
  before: ConfigTexts,
  at: ResolvedPath,
  options: Pick<EditOptions, 'env'>,
  change: (before: ConfigTexts) => Draft,
): Edit {
  const { problems } = readYaml(before.text, before.file);
  if (problems.length > 0) throw invalidConfig(problems);
  const { text, envText, secrets, removedFromEnv = [], leftInEnv = [], formerKey } = change(before);
  const path = formatPath(at.path);
  const override = overriddenBy(path, mergeEnv(options.env, readEnvFile(envText)));
  return {
    text,
    envText,
    edited: {
      path,
      file: before.file,
      changed: text !== before.text || envText !== before.envText,
      secrets,
      removedFromEnv,
      leftInEnv,
      ...(formerKey ? { formerKey } : {}),
      ...(override ? { overriddenBy: override } : {}),
    },
  };
}

function validated(text: string, file: string, env: Readonly<Record<string, string>>): Config {
  const checked = checkConfig(text, { file, env, overrides: false });
  if (!checked.config) throw invalidConfig(checked.problems);
  return checked.config;
}

function absent(path: ConfigPath, names: readonly string[]): Error {
  const close = nearest(String(path.at(-1)), names);
  const suggestion = close ? `; did you mean ${formatPath([...path.slice(0, -1), close])}?` : '';
  return fail('input.invalid', `There is no ${formatPath(path)}${suggestion}`);
}

/**
 * Reads what was typed as the schema wants it: text stays as typed, numbers and truth values are read,
 * groups and lists are YAML or JSON, and a list of texts may also be given with commas.
 */
function parseValue(typed: string, { field, path }: ResolvedPath): unknown {
  const { schema } = field;
  const text = typed.trim();
  const isText = schema instanceof z.ZodString || schema instanceof z.ZodEnum;
  if (isText || schema instanceof z.ZodNumber || schema instanceof z.ZodBoolean)
    return fromText(typed, field);
  // Text where it may be text, and otherwise what it reads as: a level is a number.
  if (schema instanceof z.ZodUnion && schema.safeParse(typed).success) return typed;
  if (schema instanceof z.ZodArray && !text.startsWith('[') && schema.element instanceof z.ZodString) {
    return text === '' ? [] : text.split(',').map((item) => item.trim());
  }
  try {
    return parse(text);
  } catch (cause) {
    const message = `${formatPath(path)}: cannot be read as ${expectation(field)}`;
    throw fail('input.invalid', message, 'Write it as JSON and quote it for the shell.', cause);
  }
}
