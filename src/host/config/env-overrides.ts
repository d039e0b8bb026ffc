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
  const set: { top: Record<string, unknown>; llm: Record<string, unknown> } = { top: {}, llm: {} };
  for (const [variable, path] of OVERRIDES) {
    const value = env[variable];
    const field = fieldAt(root, path);
    if (!value || !field) continue;
    const key = String(path.at(-1));
    set[path.length === 1 ? 'top' : 'llm'][key] = fromText(value, field);
    from.set(formatPath(path), variable);
  }
  if (from.size === 0 && !modelDisabled(env)) return { data, from };
  if (set.llm['provider'] === 'openai-compatible') set.llm['provider'] = BARE_ENDPOINT;
  const inFile = data['llm'] ?? {};
  if (!isRecord(inFile)) return { data: { ...data, ...set.top }, from };
  return {
    data: { ...data, ...set.top, llm: modelDisabled(env) ? noModel(inFile) : overlay(inFile, set.llm) },
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
