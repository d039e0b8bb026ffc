import { z } from 'zod';
import { fail } from '#kit/app-error';
import { redact } from '#kit/redact';
import { sleep } from '#kit/sleep';
import { asText, inEvery, say, tell, type Text } from '#kit/text';
import { uncertain } from '#kit/uncertain-effect';
import { type Operation, OPERATIONS, type ProposedAction, Rehearsal } from '#spec/data';
import { changesSomething } from '#spec/data/operations';
import type { ExecutionOrder, Executor, Probeable } from '#spec/ports';
import { spellAction } from '../action-params.ts';
import { openTarget, statusOf, type Target } from '#adapters/io/http/open-target';
import { type Found, settle } from '../settle.ts';

export interface CustomHttpSettings {
  readonly base_url: string;
  readonly token_key: string;
  readonly operations: readonly Operation[];
  readonly timeout_ms: number;
  readonly wait_ms: number;
  readonly settle_ms: number;
}

/** How a platform tells of an action that it has taken. */
const Told = z.object({
  status: z.enum(['done', 'running', 'accepted', 'failed', 'refused']),
  detail: z.string().optional(),
});
type Told = z.infer<typeof Told>;

const TellsRehearsal = Rehearsal.extend({
  preview: z.string().optional(),
  diff: z.string().default(''),
  state: Rehearsal.shape.state.default({}),
});

const POLL_MS = 250;
const DETAIL_CHARS = 500;
const PROBE_KEY = 'hermes-probe';

/** Actions through a release platform that keeps keys: the protocol stands in the README of this folder. */
export function customHttpExecutor(settings: CustomHttpSettings, token: string): Executor & Probeable {
  const clean = (text: string) => redact(text, [token]);
  const target = openTarget({
    name: tell('The release platform', '发布平台'),
    baseUrl: settings.base_url,
    token: () => Promise.resolve(token),
    timeoutMs: settings.timeout_ms,
    credential: settings.token_key,
  });
  const told = (key: string, signal: AbortSignal) => lookUp(target, key, signal);

  return {
    name: 'custom_http',
    operations: settings.operations,
    rehearse: async (action, signal) => {
      const body = { ...bodyOf(action), dry_run: true };
      const call = { method: 'POST', path: '/actions', body } as const;
      const { why, preview, ...found } = await target.read(TellsRehearsal, call, signal);
      return {
        ...found,
        ...(why === undefined ? {} : { why: inEvery((language) => clean(why[language])) }),
        preview: clean(preview ?? spellAction(action)),
        diff: clean(found.diff),
      };
    },
    execute: async (action, order) => {
      const { key, fence, scope, expects } = order;
      const body = {
        ...bodyOf(action),
        key,
        fence,
        scope,
        dry_run: false,
        ...(expects ? { state: expects } : {}),
      };
      const headers = { 'idempotency-key': key };
      const call = { method: 'POST', path: '/actions', body, headers } as const;
      const first = await target.act(Told, call, order);
      const done = await ended(first, action, order, settings.wait_ms, told);
      return inEvery((language) => clean(done[language]).slice(0, DETAIL_CHARS));
    },
    reconcile: (_action, key, _before, signal) =>
      settle(async () => foundOf(await told(key, signal), clean), {
        settleMs: settings.settle_ms,
        deadlineMs: settings.wait_ms,
        pollMs: POLL_MS,
        signal,
      }),
    // A key that nobody has ever used: whoever keeps keys says so, and whoever does not know us turns us away.
    probe: async (signal) => {
      await told(PROBE_KEY, signal);
      return { state: 'reached' };
    },
  };
}

const bodyOf = ({ operation, service, params }: ProposedAction) => ({ operation, service, params });

/** Undefined: the platform has never seen the key. */
async function lookUp(target: Target, key: string, signal: AbortSignal): Promise<Told | undefined> {
  const call = { method: 'GET', path: `/actions/${encodeURIComponent(key)}` } as const;
  return target.read(Told, call, signal).catch((thrown: unknown) => {
    if (statusOf(thrown) === 404) return undefined;
    throw thrown;
  });
}

/** Follows what was only accepted to its end. */
async function ended(
  first: Told,
  action: ProposedAction,
  { key, signal }: ExecutionOrder,
  waitMs: number,
  told: (key: string, signal: AbortSignal) => Promise<Told | undefined>,
): Promise<Text> {
  const ends = performance.now() + waitMs;
  for (let now: Told | undefined = first; ; ) {
    if (now?.status === 'done')
      return asText(now.detail ?? tell(`${spellAction(action)}: done.`, `${spellAction(action)}:已完成。`));
    if (now?.status === 'refused')
      throw fail(
        'backend.refused',
        tell(
          `The release platform refused: ${now.detail ?? 'no reason given'}`,
          `发布平台拒绝:${now.detail ?? '没有给出原因'}`,
        ),
      );
    if (now?.status === 'failed')
      throw uncertain(`The release platform failed: ${now.detail ?? 'no reason given'}`);
    if (performance.now() >= ends) throw uncertain('The release platform has not finished in time.');
    if (!(await sleep(POLL_MS, signal))) throw uncertain('Stopped while the release platform was at work.');
    now = await told(key, signal).catch((cause: unknown) => {
      throw uncertain('The release platform took the action and cannot be asked what became of it.', cause);
    });
  }
}

function foundOf(told: Told | undefined, clean: (text: string) => string): Found | 'running' {
  if (told === undefined)
    return {
      found: 'not_done',
      detail: tell('The release platform does not know the key.', '发布平台不认识该键。'),
    };
  const said =
    told.detail ?? tell(`The release platform says '${told.status}'.`, `发布平台的状态为 '${told.status}'。`);
  const detail = inEvery((language) => clean(say(said, language)).slice(0, DETAIL_CHARS));
  if (told.status === 'done') return { found: 'done', detail };
  if (told.status === 'refused') return { found: 'not_done', detail };
  return told.status === 'failed' ? { found: 'unknown', detail } : 'running';
}

/** All that it may be asked for, unless the settings name fewer. */
export const ASKABLE = OPERATIONS.filter(changesSomething);
