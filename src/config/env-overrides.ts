import { isRecord } from '#kit/is-record';
import { type ConfigPath, formatPath } from './config-path.ts';
import { type Field, fieldAt } from './field.ts';
import { fromText } from './expand.ts';

type Variables = Readonly<Record<string, string>>;

/** The provider that answers without any model. */
const NO_MODEL = 'local';
/** The provider that is nothing but the address it is given. */
const BARE_ENDPOINT = 'custom';

/** Later ones win. */
const OVERRIDES: readonly (readonly [variable: string, path: ConfigPath])[] = [
  ['RUNBOOK_MODEL_PROVIDER', ['llm', 'provider']],
  ['RUNBOOK_MODEL_BASE_URL', ['llm', 'base_url']],
  ['RUNBOOK_MODEL_API_KEY', ['llm', 'api_key']],
  ['RUNBOOK_MODEL_NAME', ['llm', 'model']],
  ['RUNBOOK_MODEL_TEMPERATURE', ['llm', 'temperature']],
  ['HERMES_PROVIDER', ['llm', 'provider']],
  ['HERMES_BASE_URL', ['llm', 'base_url']],
  ['HERMES_API_KEY', ['llm', 'api_key']],
  ['HERMES_MODEL', ['llm', 'model']],
  ['HERMES_LANGUAGE', ['language']],
  ['RUNBOOK_MEMORY_ENABLED', ['memory', 'enabled']],
  ['RUNBOOK_MEMORY_CONTEXT_LIMIT', ['memory', 'context_limit']],
  ['RUNBOOK_MEMORY_EXTERNAL_PROVIDER', ['memory', 'provider']],
  ['RUNBOOK_SKILL_PUBLISH_ENABLED', ['incidents', 'publish_skills']],
  ['RUNBOOK_CONTROLLED_EXECUTION_ENABLED', ['incidents', 'execute']],
  ['ACTION_EXECUTION_ALLOWED_OPERATIONS', ['incidents', 'operations']],
  ['ACTION_EXECUTION_REQUIRE_SECOND_CONFIRMATION', ['incidents', 'confirm_always']],
  ['ACTION_EXECUTION_CONFIRMATION_TOKEN', ['incidents', 'confirm_word']],
];

/** Keys that speak of one endpoint and must not follow the user to another: above all, its keys. */
const OF_ONE_ENDPOINT = ['model', 'base_url', 'api_mode', 'api_key', 'credentials', 'context_window'];

/** The variable that decides a key over config.yaml, if one does. */
export function overriddenBy(path: string, env: Variables): string | undefined {
  if (modelDisabled(env) && path.startsWith('llm.')) return 'RUNBOOK_MODEL_ENABLED';
  return OVERRIDES.findLast(([variable, at]) => env[variable] && formatPath(at) === path)?.[0];
}

/** Lays the environment's own settings over the file's. Gives the result and where each change came from. */
export function applyEnv(
  data: Record<string, unknown>,
  root: Field,
  env: Variables,
): { data: Record<string, unknown>; from: Map<string, string> } {
  const from = new Map<string, string>();
  const top: Record<string, unknown> = {};
  const groups: Record<string, Record<string, unknown>> = {};
  for (const [variable, path] of OVERRIDES) {
    const value = env[variable];
    const field = fieldAt(root, path);
    if (!value || !field) continue;
    const [group = '', key] = path.map(String);
    const target = key === undefined ? top : (groups[group] ??= {});
    target[key ?? group] = fromText(value, field);
    from.set(formatPath(path), variable);
  }
  if (from.size === 0 && !modelDisabled(env)) return { data, from };
  const { llm: model = {}, ...others } = groups;
  if (model['provider'] === 'openai-compatible') model['provider'] = BARE_ENDPOINT;
  const laid = Object.entries(others).map(([group, set]) => {
    const inFile = data[group] ?? {};
    return [group, isRecord(inFile) ? { ...inFile, ...set } : inFile];
  });
  const inFile = data['llm'] ?? {};
  const changed = { ...data, ...top, ...(Object.fromEntries(laid) as Record<string, unknown>) };
  if (!isRecord(inFile)) return { data: changed, from };
  return {
    data: { ...changed, llm: modelDisabled(env) ? noModel(inFile) : overlay(inFile, model) },
    from,
  };
}

function overlay(inFile: Record<string, unknown>, set: Record<string, unknown>): Record<string, unknown> {
  const provider = set['provider'] ?? inFile['provider'] ?? (set['base_url'] ? BARE_ENDPOINT : undefined);
  const elsewhere = inFile['provider'] !== undefined && provider !== inFile['provider'];
  const kept = elsewhere ? without(inFile, OF_ONE_ENDPOINT) : inFile;
  return { ...kept, ...set, ...(provider === undefined ? {} : { provider }) };
}

const noModel = (inFile: Record<string, unknown>) => ({
  ...without(inFile, [...OF_ONE_ENDPOINT, 'fallback', 'tiers']),
  provider: NO_MODEL,
});

const modelDisabled = (env: Variables) => /^(false|0|no|off)$/i.test(env['RUNBOOK_MODEL_ENABLED'] ?? '');

function without(record: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));
}
