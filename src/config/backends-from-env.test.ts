import { describe, expect, it } from 'vitest';
import { chooseExecutors, telemetryFromEnv } from './backends-from-env.ts';

const KINDS = ['argocd', 'custom_http', 'demo_file', 'kubernetes'];
const LISTED = [{ type: 'kubernetes', name: 'prod' }, { type: 'argocd' }];
const choose = (env: Record<string, string>, listed: readonly unknown[] = LISTED) =>
  chooseExecutors(env, listed, KINDS);

describe('chooseExecutors', () => {
  it('takes all that are listed where no variable says otherwise', () => {
    expect(choose({})).toEqual({ entries: LISTED, lacking: [] });
  });

  it.each(['kubernetes', 'argocd'])('chooses %s where it is configured, and nothing else', (kind) => {
    const { entries, lacking } = choose({ ACTION_EXECUTION_BACKEND: kind });
    expect(entries).toEqual(LISTED.filter(({ type }) => type === kind));
    expect(lacking).toEqual([]);
  });

  it.each(KINDS)('says what %s lacks where it is not, and then nothing acts', (kind) => {
    const { entries, lacking } = choose({ ACTION_EXECUTION_BACKEND: kind }, []);
    expect(entries).toEqual([]);
    expect(lacking).toMatchObject([{ type: kind, missing: { what: { en: expect.stringContaining(kind) } } }]);
  });

  it('describes by variables what it can', () => {
    const env = { ACTION_EXECUTION_API_BASE_URL: 'https://x', ACTION_EXECUTION_API_TOKEN: 't' };
    expect(choose({ ...env, ACTION_EXECUTION_BACKEND: 'custom_http' }).entries).toEqual([
      { type: 'custom_http', base_url: 'https://x', token_key: 'ACTION_EXECUTION_API_TOKEN' },
    ]);
    expect(choose({ ROLLBACK_BACKEND_KIND: 'demo_file', DEMO_DEPLOY_STATE_FILE: '/s' }).entries).toEqual([
      { type: 'demo_file', state_file: '/s' },
    ]);
  });

  it('is never silent about a value that does not exist', () => {
    expect(choose({ ACTION_EXECUTION_BACKEND: 'kubernets' })).toMatchObject({
      entries: [],
      lacking: [{ missing: { fix: { en: 'Did you mean kubernetes?' } } }],
    });
    expect(choose({ ACTION_EXECUTION_BACKEND: 'none' })).toEqual({ entries: [], lacking: [] });
  });
});

describe('telemetryFromEnv', () => {
  it('is never silent about a value that does not exist', () => {
    for (const env of [
      { OBS_BACKEND: 'mock' },
      { TRACE_BACKEND: 'zipkin', TRACE_BASE_URL: 'http://x' },
      { DEPLOY_BACKEND: 'spinnaker' },
      { DEPLOY_BACKEND: 'demo_file' },
    ])
      expect(telemetryFromEnv(env)).toMatchObject({ entries: [], lacking: [{ missing: {} }] });
  });

  it('takes what the seed sets', () => {
    const { entries, lacking } = telemetryFromEnv({
      OBS_BACKEND: 'real',
      PROMETHEUS_BASE_URL: 'http://p',
      LOKI_BASE_URL: 'http://l',
      TRACE_BACKEND: 'jaeger',
      TRACE_BASE_URL: 'http://t',
      DEPLOY_BACKEND: 'demo_file',
      DEMO_DEPLOY_STATE_FILE: '/s',
    });
    expect(entries).toMatchObject(['prometheus', 'loki', 'jaeger', 'json_file'].map((type) => ({ type })));
    expect(lacking).toEqual([]);
  });
});
