import { tell, type Text } from '#kit/text';
import { isRecord } from '#kit/is-record';
import { nearest } from '#kit/nearest';
import type { Missing } from '#spec/ports';
import type { Env } from './env-file.ts';

/** A backend that is asked for, and what keeps it from being opened. */
interface LackingKind {
  readonly name: string;
  readonly type: string;
  readonly missing: Missing;
}

/** Entries to open, and what the variables ask for that cannot be had: nobody should wait for it in vain. */
interface FromEnv {
  readonly entries: readonly unknown[];
  readonly lacking: readonly LackingKind[];
}

const set = (key: string, value: string | undefined): Record<string, string> =>
  value ? { [key]: value } : {};
/** The name of the variable that holds the token, where it does. */
const token = (env: Env, name: string) => (env[name] ? { token_key: name } : {});
const lacks = (type: string, what: Text, fix: Text): LackingKind => ({
  name: type,
  type,
  missing: { what, fix },
});
const typeOf = (entry: unknown): unknown => (isRecord(entry) ? entry['type'] : undefined);

const OFF = /^(?:none|off|false)$/i;
const REAL = /^(?:real|prometheus)$/i;
const TRACE_KINDS = ['jaeger', 'tempo'];

/** Where telemetry is, as the variables of the environment say it. */
export function telemetryFromEnv(env: Env): FromEnv {
  const backend = env['OBS_BACKEND'];
  if (backend && OFF.test(backend)) return { entries: [], lacking: [] };
  if (backend && !REAL.test(backend))
    return {
      entries: [],
      lacking: [noSuch('OBS_BACKEND', backend, ['real', 'none'])],
    };
  const traceName = env['TRACE_PROVIDER_KIND'] ? 'TRACE_PROVIDER_KIND' : 'TRACE_BACKEND';
  const traces = env[traceName] || 'jaeger';
  const knownTraces = TRACE_KINDS.includes(traces);
  const deploys = env['DEPLOY_BACKEND'];
  const state = env['DEMO_DEPLOY_STATE_FILE'];
  const entries = [
    ...(env['PROMETHEUS_BASE_URL']
      ? [{ type: 'prometheus', base_url: env['PROMETHEUS_BASE_URL'], ...token(env, 'PROMETHEUS_AUTH_TOKEN') }]
      : []),
    ...(env['LOKI_BASE_URL']
      ? [{ type: 'loki', base_url: env['LOKI_BASE_URL'], ...token(env, 'LOKI_AUTH_TOKEN') }]
      : []),
    ...(env['TRACE_BASE_URL'] && knownTraces
      ? [{ type: traces, base_url: env['TRACE_BASE_URL'], ...token(env, 'TRACE_AUTH_TOKEN') }]
      : []),
    ...(deploys === 'demo_file' && state ? [{ type: 'json_file', path: state }] : []),
  ];
  const lacking = [
    ...(env['TRACE_BASE_URL'] && !knownTraces ? [noSuch(traceName, traces, TRACE_KINDS)] : []),
    ...(deploys && !OFF.test(deploys) && deploys !== 'demo_file'
      ? [noSuch('DEPLOY_BACKEND', deploys, ['demo_file', 'none'])]
      : []),
    ...(deploys === 'demo_file' && !state
      ? [needs('demo_file', 'DEPLOY_BACKEND', 'DEMO_DEPLOY_STATE_FILE')]
      : []),
  ];
  return { entries, lacking };
}

/**
 * What carries actions out: what `backends.yaml` lists, or of it only the kind that `ACTION_EXECUTION_BACKEND` names,
 * which may also be described by variables alone. Where that kind cannot be had, nothing carries anything out.
 */
export function chooseExecutors(env: Env, listed: readonly unknown[], kinds: readonly string[]): FromEnv {
  const name = env['ACTION_EXECUTION_BACKEND'] ? 'ACTION_EXECUTION_BACKEND' : 'ROLLBACK_BACKEND_KIND';
  const kind = env[name];
  if (!kind) return { entries: listed, lacking: [] };
  if (OFF.test(kind)) return { entries: [], lacking: [] };
  if (!kinds.includes(kind)) return { entries: [], lacking: [noSuch(name, kind, [...kinds, 'none'])] };
  const own = listed.filter((entry) => typeOf(entry) === kind);
  if (own.length > 0) return { entries: own, lacking: [] };
  const described = DESCRIBED[kind];
  if (!described)
    return {
      entries: [],
      lacking: [
        lacks(
          kind,
          tell(
            `${name} is ${kind}, and backends.yaml lists no executor of this type.`,
            `${name} 为 ${kind},但 backends.yaml 中没有该类型的执行器。`,
          ),
          tell(
            `List it under \`executors:\` of backends.yaml: - type: ${kind}`,
            `写入 backends.yaml 的 \`executors:\` 之下:- type: ${kind}`,
          ),
        ),
      ],
    };
  return env[described.variable]
    ? { entries: [described.entry(env)], lacking: [] }
    : { entries: [], lacking: [needs(kind, name, described.variable)] };
}

/** Kinds that variables alone can describe, and the variable that they cannot do without. */
const DESCRIBED: Readonly<
  Record<
    string,
    { readonly variable: string; readonly entry: (env: Env) => Readonly<Record<string, unknown>> }
  >
> = {
  demo_file: {
    variable: 'DEMO_DEPLOY_STATE_FILE',
    entry: (env) => ({
      type: 'demo_file',
      ...set('state_file', env['DEMO_DEPLOY_STATE_FILE']),
      ...set('version_file', env['DEMO_VERSION_FILE']),
    }),
  },
  custom_http: {
    variable: 'ACTION_EXECUTION_API_BASE_URL',
    entry: (env) => ({
      type: 'custom_http',
      ...set('base_url', env['ACTION_EXECUTION_API_BASE_URL']),
      ...token(env, 'ACTION_EXECUTION_API_TOKEN'),
    }),
  },
};

const needs = (type: string, variable: string, other: string): LackingKind =>
  lacks(
    type,
    tell(`${variable} is ${type}, and ${other} is not set.`, `${variable} 为 ${type},但未设置 ${other}。`),
    tell(`Put ${other} into the .env file of the profile.`, `将 ${other} 写入该配置档的 .env 文件。`),
  );

function noSuch(variable: string, value: string, known: readonly string[]): LackingKind {
  const meant = nearest(value, known);
  const fix = meant
    ? tell(`Did you mean ${meant}?`, `是否想写 ${meant}?`)
    : tell(`It is one of: ${known.join(', ')}.`, `可选:${known.join('、')}。`);
  const what = tell(
    `${variable} is '${value}', and there is no such thing here.`,
    `${variable} 为 '${value}',此处没有这一项。`,
  );
  return lacks(variable, what, fix);
}
