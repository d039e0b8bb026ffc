import { z } from 'zod';
import type { IncidentState, Recovery } from '#spec/data';
import { type Attempt, defineFlow, type Flow, type FlowContext, type StepOptions } from '#spec/ports';
import { asText } from '#kit/text';
import { type ApprovalOutcome, approvalStage } from './approval/approval-stage.ts';
import { readDecision } from './approval/read-decision.ts';
import { evidenceStage } from './evidence/evidence-stage.ts';
import {
  carryOut,
  concludeExecution,
  type Effect,
  prepareExecution,
  reconcile,
} from './execution/execution-stage.ts';
import { closeIncident, readWatch, type Watched } from './incident/watch.ts';
import type { IncidentDeps, Occasion } from './incident-deps.ts';
import { loggedStage } from './logged-stage.ts';
import { learningStage } from './learning/learning-stage.ts';
import { notes } from './notes.ts';
import { policyStage } from './policy/policy-stage.ts';
import { rcaStage } from './rca/rca-stage.ts';
import { stable } from './verification/stable.ts';
import { recoveryFailed, verificationStage } from './verification/verification-stage.ts';

/** The stages in their order. Each has a folder of its name. @internal a test ties the two together */
export const STAGES = [
  'intake',
  'incident',
  'evidence',
  'rca',
  'policy',
  'approval',
  'execution',
  'verification',
  'learning',
] as const;

const INCIDENT_FLOW = 'incident';
const DAY_MS = 86_400_000;
const READ: StepOptions = { effect: 'pure', retries: 2, timeoutMs: 120_000 };
const WRITE: StepOptions = { effect: 'keyed', retries: 2, timeoutMs: 60_000 };

export interface IncidentInput {
  readonly incident: string;
}

/**
 * One incident, from its alert to its end. Waiting for a person, for an effect or for the alerts to change is a state on
 * disk: whichever process is alive goes on.
 */
export function incidentFlow(deps: IncidentDeps): Flow<IncidentInput, { readonly state: IncidentState }> {
  return defineFlow({
    name: INCIDENT_FLOW,
    version: 1,
    input: z.object({ incident: z.string() }),
    run: async (context, { incident }) => {
      for (let round = 1; ; round++) {
        const run = stepper(context, incident, deps, round);
        await run('evidence', READ, evidenceStage);
        const rca = await run('rca', READ, rcaStage);
        const { act } = await run('policy', READ, (id, own, occasion) => policyStage(id, rca, own, occasion));
        const recovered = act && (await actOn(run));
        const state = recovered ? 'recovered' : await watch(run);
        if (state === 'open') continue;
        await run('close', WRITE, (id, own, occasion) => closeIncident(id, own, occasion, state));
        await run('learning', WRITE, learningStage);
        return { state };
      }
    },
  });
}

type Stage<T> = (id: string, deps: IncidentDeps, occasion: Occasion) => Promise<T>;

interface Run {
  <T>(name: string, options: StepOptions, stage: Stage<T>): Promise<T>;
  readonly context: FlowContext;
  readonly id: string;
  readonly deps: IncidentDeps;
  readonly round: number;
}

function stepper(context: FlowContext, id: string, deps: IncidentDeps, round: number): Run {
  const run = <T>(name: string, options: StepOptions, stage: Stage<T>): Promise<T> =>
    context.step(`${name} ${round}`, options, ({ key, signal }) =>
      loggedStage(deps, { incident: id, stage: name, round }, () => stage(id, deps, { key, round, signal })),
    );
  return Object.assign(run, { context, id, deps, round });
}

/** Agreement, execution and verification. False: the incident goes on. */
async function actOn(run: Run): Promise<boolean> {
  const asked = await run('approval', WRITE, approvalStage);
  if (!asked.asked) return false;
  if ((await decisionOn(run, asked)) !== 'granted') return false;
  const { ready } = await run('readiness', WRITE, prepareExecution);
  if (!ready) return false;
  return (await execute(run)) && (await verify(run));
}

async function decisionOn(
  { context, id, deps, round }: Run,
  { approval, expiresAt, unattended }: Extract<ApprovalOutcome, { readonly asked: true }>,
) {
  for (let waits = !unattended; ; waits = true) {
    if (waits) {
      const left = Math.max(0, expiresAt - (await context.now()));
      await context.waitFor(['approval.decided', 'alerts.changed', 'incident.closed'], {
        timeoutMs: left + 1_000,
      });
    }
    const decision = await context.step(`decision ${round}`, READ, ({ key }) =>
      loggedStage(deps, { incident: id, stage: 'decision', round }, () =>
        readDecision(id, approval, deps, key),
      ),
    );
    if (decision !== 'pending') return decision;
  }
}

/**
 * The effect, at most once. An attempt whose end is unknown is looked up at the target; only when nothing was done there
 * is it tried once more.
 */
async function execute(run: Run): Promise<boolean> {
  const { context, id, deps, round } = run;
  const startedAt = await context.now();
  for (const name of [`execute ${round}`, `execute ${round} again`]) {
    const outcome = await context.once(name, (attempt: Attempt) =>
      loggedStage(deps, { incident: id, stage: 'execution', round }, () => carryOut(id, deps, attempt)),
    );
    if (outcome.status === 'done') return conclude(run, outcome.value, startedAt, false);
    const { found, detail } = await run('reconcile', READ, reconcile);
    if (found !== 'not_done')
      return conclude(run, { done: found === 'done', detail }, startedAt, true, found === 'unknown');
  }
  const detail = notes.begunTwice;
  return conclude(run, { done: false, detail }, startedAt, true);
}

async function conclude(
  run: Run,
  { done, detail }: Effect,
  startedAt: number,
  reconciled: boolean,
  unknown = false,
): Promise<boolean> {
  const status = done ? 'done' : unknown ? 'unknown' : 'failed';
  await run('conclusion', WRITE, (id, deps, occasion) =>
    concludeExecution(id, deps, occasion, { status, detail: asText(detail), startedAt, reconciled }),
  );
  return done;
}

/** Looks at fresh evidence until enough looks in a row were good, or too many were not. */
async function verify(run: Run): Promise<boolean> {
  const { settleMs, checkEveryMs, stableChecks, mostChecks } = run.deps.settings;
  const seen: Recovery[] = [];
  while (seen.length < mostChecks) {
    await run.context.sleep('settle', seen.length === 0 ? settleMs : checkEveryMs);
    seen.push(await run('verification', READ, verificationStage));
    if (stable(seen, stableChecks)) return true;
  }
  await run('verdict', WRITE, recoveryFailed);
  return false;
}

const WAKING = ['alerts.changed', 'incident.closed', 'incident.look'];
const GATHER_MS = 2_000;

/** Alerts of one fault come in bursts: they are looked at together. */
async function gathered({ context }: Run): Promise<void> {
  await context.sleep('gather', GATHER_MS);
  while (await context.waitFor('alerts.changed', { timeoutMs: 0 }));
}

/** Waits for the alerts to change, for a person, or for the time to look again. */
async function watch(run: Run): Promise<'open' | 'resolved' | 'closed'> {
  const { recheckMs, mostRounds, settleMs } = run.deps.settings;
  const look = (stayedAway: boolean): Promise<Watched> =>
    run('watch', READ, (id, deps, occasion) => readWatch(id, deps, occasion, stayedAway));
  for (;;) {
    const given = run.round >= mostRounds;
    const wait = recheckMs[Math.min(run.round, recheckMs.length) - 1] ?? DAY_MS;
    const seen = await look(false);
    if (seen === 'resolved' || seen === 'closed') return seen;
    const timeoutMs = seen === 'quiet' ? settleMs : given ? DAY_MS : wait;
    const signal = await run.context.waitFor(WAKING, { timeoutMs });
    if (signal?.name === 'alerts.changed') await gathered(run);
    const now = await look(seen === 'quiet' && signal === undefined);
    if (now === 'resolved' || now === 'closed') return now;
    if (now === 'open' && (!given || signal?.name === 'incident.look')) return now;
  }
}
