import { type FaultSwitch, withFaults } from '#testkit/api-faults';
import { type LoopbackAnswer, type SeenRequest, startLoopback } from '#testkit/web';

export interface PlatformService {
  version: string;
  previous?: string;
  replicas: number;
  config: Record<string, unknown>;
  restarts?: number;
}

/** What became of a key. */
export interface PlatformAction {
  status: 'running' | 'done' | 'failed' | 'refused';
  detail: string;
}

export interface ReleasePlatform {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** Keys whose action was carried out, in order. */
  readonly effects: readonly string[];
  /** How many requests to act came with a key that was known already. */
  duplicates(): number;
  add(name: string, service: PlatformService): void;
  service(name: string): PlatformService;
  action(key: string): PlatformAction | undefined;
  /** From now on a new action is only accepted; `finish` carries it out, or ends it as told. */
  acceptOnly(on: boolean): void;
  finish(key: string, as?: 'failed' | 'refused'): void;
  fail: FaultSwitch['fail'];
  close(): Promise<void>;
}

interface Wanted {
  readonly operation: string;
  readonly service: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly key?: string;
  readonly fence?: number;
  readonly scope?: string;
  readonly dry_run: boolean;
  readonly state?: unknown;
}

interface State {
  readonly services: Map<string, PlatformService>;
  readonly actions: Map<string, PlatformAction>;
  readonly waiting: Map<string, () => void>;
  readonly fences: Map<string, number>;
  readonly effects: string[];
  duplicates: number;
  acceptOnly: boolean;
}

export async function startReleasePlatform({ token }: { readonly token: string }): Promise<ReleasePlatform> {
  const state: State = {
    services: new Map(),
    actions: new Map(),
    waiting: new Map(),
    fences: new Map(),
    effects: [],
    duplicates: 0,
    acceptOnly: false,
  };
  const faults = withFaults((request) => {
    if (request.headers.authorization !== `Bearer ${token}`) return refusal(401, 'the token is not known');
    const key = /^\/actions\/([^/]+)$/.exec(request.path)?.[1];
    if (request.method === 'GET' && key) return told(state, decodeURIComponent(key));
    if (request.method === 'POST' && request.path === '/actions') return take(state, request);
    return refusal(404, 'there is nothing here');
  });
  const server = await startLoopback(faults.handler);
  return {
    url: server.url,
    requests: server.requests,
    effects: state.effects,
    duplicates: () => state.duplicates,
    add: (name, service) => void state.services.set(name, structuredClone(service)),
    service: (name) => structuredClone(known(state, name)),
    action: (key) => state.actions.get(key),
    acceptOnly: (on) => {
      state.acceptOnly = on;
    },
    finish: (key, as) => {
      if (as) state.actions.set(key, { status: as, detail: `ended as ${as}` });
      else state.waiting.get(key)?.();
      state.waiting.delete(key);
    },
    fail: faults.fail,
    close: () => server.close(),
  };
}

const refusal = (status: number, message: string): LoopbackAnswer => ({ status, body: { message } });

function known(state: State, name: string): PlatformService {
  const found = state.services.get(name);
  if (!found) throw new Error(`there is no service ${name} in this test`);
  return found;
}

function told(state: State, key: string): LoopbackAnswer {
  const action = state.actions.get(key);
  return action ? { body: action } : refusal(404, 'this key is not known');
}

function take(state: State, request: SeenRequest): LoopbackAnswer {
  const wanted = request.json() as Wanted;
  const service = state.services.get(wanted.service);
  if (!service) return refusal(404, `there is no service ${wanted.service}`);
  const next = afterwards(wanted, service);
  if (typeof next === 'string')
    return wanted.dry_run
      ? { body: { allowed: false, why: next, preview: '', diff: '', state: {} } }
      : refusal(422, next);
  if (wanted.dry_run) return { body: rehearsal(wanted, service, next) };
  const { key, fence = 0, scope = '' } = wanted;
  if (!key || request.headers['idempotency-key'] !== key) return refusal(400, 'a key is needed');
  const before = state.actions.get(key);
  if (before) {
    state.duplicates += 1;
    return { body: before };
  }
  if (fence < (state.fences.get(scope) ?? 0)) return refusal(409, `the fence ${fence} is too old`);
  if (wanted.state && JSON.stringify(wanted.state) !== JSON.stringify(stateOf(service)))
    return refusal(409, 'the service is in another state');
  state.fences.set(scope, fence);
  return begin(state, wanted, key, next);
}

function begin(
  state: State,
  { service, operation }: Wanted,
  key: string,
  next: PlatformService,
): LoopbackAnswer {
  const carryOut = () => {
    state.services.set(service, next);
    state.effects.push(key);
    state.actions.set(key, { status: 'done', detail: `${operation} of ${service} is done` });
  };
  if (!state.acceptOnly) {
    carryOut();
    return { body: state.actions.get(key) };
  }
  state.actions.set(key, { status: 'running', detail: 'at work' });
  state.waiting.set(key, carryOut);
  return { status: 202, body: { status: 'accepted' } };
}

/** The service as the action leaves it, or why not. */
function afterwards({ operation, params }: Wanted, now: PlatformService): PlatformService | string {
  switch (operation) {
    case 'rollback_canary': {
      const to = params.to ?? now.previous;
      if (typeof to !== 'string') return 'there is nothing to go back to';
      return { ...now, version: to, previous: now.version };
    }
    case 'restart_deployment':
      return { ...now, restarts: (now.restarts ?? 0) + 1 };
    case 'scale_deployment':
      return { ...now, replicas: Number(params.replicas) };
    case 'change_config':
      return { ...now, config: { ...now.config, [String(params.key)]: params.value } };
    default:
      return `${operation} is not offered`;
  }
}

const stateOf = ({ version, replicas, config }: PlatformService) => ({ version, replicas, config });

const rehearsal = ({ operation, service }: Wanted, now: PlatformService, next: PlatformService) => ({
  allowed: true,
  preview: `release ${operation} ${service}`,
  diff: `--- a/${service}\n+++ b/${service}\n-${JSON.stringify(stateOf(now))}\n+${JSON.stringify(stateOf(next))}\n`,
  state: stateOf(now),
});
