type Env = Readonly<Record<string, string | undefined>>;
type Entry = Readonly<Record<string, unknown>> & { readonly type: string };

const set = (key: string, value: string | undefined): Record<string, string> =>
  value ? { [key]: value } : {};
/** The name of the variable that holds the token, where it does. */
const token = (env: Env, name: string) => (env[name] ? { token_key: name } : {});

/** Where telemetry is, as the variables of the environment say it. */
export function telemetryFromEnv(env: Env): Entry[] {
  if (env['OBS_BACKEND'] && !/^(real|prometheus)$/i.test(env['OBS_BACKEND'])) return [];
  const traces = env['TRACE_PROVIDER_KIND'] ?? env['TRACE_BACKEND'] ?? 'jaeger';
  const deploys = env['DEPLOY_BACKEND'];
  return [
    ...(env['PROMETHEUS_BASE_URL']
      ? [{ type: 'prometheus', base_url: env['PROMETHEUS_BASE_URL'], ...token(env, 'PROMETHEUS_AUTH_TOKEN') }]
      : []),
    ...(env['LOKI_BASE_URL']
      ? [{ type: 'loki', base_url: env['LOKI_BASE_URL'], ...token(env, 'LOKI_AUTH_TOKEN') }]
      : []),
    ...(env['TRACE_BASE_URL']
      ? [{ type: traces, base_url: env['TRACE_BASE_URL'], ...token(env, 'TRACE_AUTH_TOKEN') }]
      : []),
    ...(deploys === 'demo_file' && env['DEMO_DEPLOY_STATE_FILE']
      ? [{ type: 'json_file', path: env['DEMO_DEPLOY_STATE_FILE'] }]
      : []),
  ];
}

/** What carries actions out, as the variables of the environment say it. */
export function executorsFromEnv(env: Env): Entry[] {
  const kind = env['ACTION_EXECUTION_BACKEND'] ?? env['ROLLBACK_BACKEND_KIND'];
  if (kind === 'demo_file' && env['DEMO_DEPLOY_STATE_FILE'])
    return [
      {
        type: 'demo_file',
        state_file: env['DEMO_DEPLOY_STATE_FILE'],
        ...set('version_file', env['DEMO_VERSION_FILE']),
      },
    ];
  if (kind === 'custom_http' && env['ACTION_EXECUTION_API_BASE_URL'])
    return [
      {
        type: 'custom_http',
        base_url: env['ACTION_EXECUTION_API_BASE_URL'],
        ...token(env, 'ACTION_EXECUTION_API_TOKEN'),
      },
    ];
  return [];
}
