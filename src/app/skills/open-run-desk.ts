import {
  cancelWorkflow,
  type RunContext,
  WORKFLOW_FLOW,
  type WorkflowEvent,
  workflowRun,
} from '#engines/skills';
import { fail } from '#kit/app-error';
import { newId } from '#kit/new-id';
import { once } from '#kit/once';
import type * as api from '#spec/api';
import type { Skill } from '#spec/data';
import type { Dependencies } from '../dependencies.ts';
import { openWorkflows, type Workflows } from './open-workflows.ts';
import { runFile, sourceOf } from './skill-desk.ts';
import { CONSOLE, type Onlooker, viewFor } from './onlooker.ts';
import { openQuestions } from './open-questions.ts';
import { type RunRow, rowOf, type RunView, viewOf } from './run-views.ts';

type Needs = Pick<
  Dependencies,
  | 'auxiliary'
  | 'builtInTools'
  | 'database'
  | 'engineTools'
  | 'env'
  | 'flows'
  | 'gate'
  | 'incidentFile'
  | 'incidents'
  | 'language'
  | 'log'
  | 'mcp'
  | 'memory'
  | 'onClose'
  | 'openPlace'
  | 'plugins'
  | 'profile'
  | 'redactor'
  | 'sees'
  | 'settings'
  | 'skills'
  | 'toolPlace'
  | 'tracing'
>;

export type StartRun = api.Given<api.StartRun>;

/** The runs of a home's workflows. What somebody may not see is not there for them. */
export interface RunDesk {
  list(
    who: Onlooker,
    filter: { readonly skill?: string; readonly limit: number },
  ): Promise<readonly RunRow[]>;
  show(who: Onlooker, id: string): Promise<RunView>;
  /** Begins one and tells its id. `ageMs`: nothing was begun, this result is kept. */
  start(
    who: Onlooker,
    skill: Skill,
    asked: StartRun,
  ): Promise<{ readonly run: string; readonly ageMs?: number }>;
  /** Begins no further step of it; what it asks is taken back. */
  cancel(who: Onlooker, id: string): Promise<void>;
  /** Goes on here with what a process left behind. */
  resume(who: Onlooker, id: string): Promise<void>;
  answer(who: Onlooker, run: string, question: string, choice: string): Promise<void>;
  decide(who: Onlooker, run: string, approval: string, granted: boolean): Promise<void>;
}

const MOST_LOOKED_AT = 1_000;
/** Runs that were started here and go on. Each may hold a process. */
const MOST_RUNNING = 8;
const NEVER = new AbortController().signal;

export function openRunDesk(deps: Needs, cwd: string): RunDesk {
  const questions = openQuestions(deps.settings.gate.wait_s * 1_000);
  /** Runs that this process is at. */
  const here = new Set<string>();
  const going = new Set<string>();
  let engine: Promise<Workflows> | undefined;
  let closing = false;
  const flows = once(() => deps.flows([]));
  deps.onClose(async () => {
    closing = true;
    // What could not be opened was told to whoever asked for it.
    for (const part of [engine, flows.kept()]) await (await part?.catch(() => undefined))?.close();
  });

  const workflows = (who: Onlooker): Promise<Workflows> => {
    engine ??= openWorkflows(deps, {
      cwd,
      view: viewFor(who),
      ask: async () => undefined,
      peopleOf: (run) => (isAskedHere(run) ? questions.peopleOf(run.id) : undefined),
      report: heard,
    });
    engine.catch(() => {
      engine = undefined;
    });
    return engine;
  };
  const heard = (event: WorkflowEvent): void => {
    if (event.type === 'finished') here.delete(event.run);
    else here.add(event.run);
  };

  const must = async (who: Onlooker, id: string) => {
    const record = await (await flows()).get(id);
    const run = record && workflowRun(record);
    if (!run || !maySee(who, run)) throw fail('input.not_found', `There is no run '${id}'.`);
    return run;
  };
  const mustRun = async (who: Onlooker, id: string) => {
    const run = await must(who, id);
    if (run.state !== 'running') throw fail('input.conflict', `The run has ended: ${run.state}.`);
    return run;
  };

  return {
    list: async (who, { skill, limit }) => {
      const records = await (await flows()).list({ flow: WORKFLOW_FLOW, limit: MOST_LOOKED_AT });
      const runs = records
        .flatMap((record) => workflowRun(record) ?? [])
        .filter((run) => (skill === undefined || run.skill === skill) && maySee(who, run))
        .slice(0, limit);
      const asked = runs.some(({ state }) => state === 'running') ? await (await deps.gate()).pending() : [];
      return runs.map((run) => {
        const { session } = run.input.requester;
        const atGate = asked.filter(({ requester }) => requester.session === session);
        return rowOf(run, here.has(run.id), questions.of(run.id).length + atGate.length);
      });
    },
    show: async (who, id) => {
      const run = await must(who, id);
      const pending =
        run.state === 'running' ? await (await deps.gate()).pending(run.input.requester.session) : [];
      return viewOf(run, { here: here.has(id), questions: questions.of(id), approvals: pending });
    },
    start: async (who, skill, asked) => {
      if (asked.backend !== undefined && !who.isOwner)
        throw fail('input.forbidden', 'Where commands run is for the owner of this home to choose.');
      if (asked.from) await must(who, asked.from.run);
      if (going.size >= MOST_RUNNING)
        throw fail('input.conflict', `${MOST_RUNNING} runs are going on already.`, 'Wait for one to end');
      const id = newId('run');
      // Taken before anything is waited for: many may come at once.
      going.add(id);
      let isKept = false;
      let onStart = (): void => undefined;
      const started = new Promise<undefined>((resolve) => {
        onStart = () => {
          isKept = true;
          resolve(undefined);
        };
      });
      const ended = (async () => {
        const view = viewFor(who);
        try {
          const { library } = await deps.skills(cwd);
          const file = await sourceOf(library, skill);
          return await runFile(deps, await workflows(who), file, {
            ...asked,
            cwd,
            view,
            id,
            onStart,
            signal: NEVER,
          });
        } finally {
          going.delete(id);
        }
      })();
      // Whoever started it has gone on by then: how it went stands in its record.
      ended.catch((thrown: unknown) => {
        if (isKept && !closing) deps.log.error('flow.failed', { flow: `${skill.name} ${id}`, thrown });
      });
      const kept = await Promise.race([started, ended]);
      return kept?.ageMs === undefined ? { run: id } : { run: kept.run.id, ageMs: kept.ageMs };
    },
    cancel: async (who, id) => {
      const run = await mustRun(who, id);
      if (!(await cancelWorkflow(await flows(), id))) throw fail('input.conflict', 'The run has ended.');
      questions.drop(id);
      const gate = await deps.gate();
      for (const approval of await gate.pending(run.input.requester.session))
        await gate.revoke(approval.id, { channel: who.channel, user: who.user });
      // One that nobody is at has to be taken up to come to its end.
      if (!here.has(id)) await workflows(who);
    },
    resume: async (who, id) => {
      await mustRun(who, id);
      await workflows(who);
    },
    answer: async (who, id, question, choice) => {
      const run = await mustRun(who, id);
      if (!who.mayAgree && run.input.requester.user !== who.user)
        throw fail('input.forbidden', 'It is asked of whoever started the run.');
      questions.answer(id, question, choice);
    },
    decide: async (who, id, approval, granted) => {
      const run = await mustRun(who, id);
      const gate = await deps.gate();
      const asked = await gate.approvals.get(approval);
      if (asked?.requester.session !== run.input.requester.session)
        throw fail('input.not_found', `The run has no request '${approval}'.`);
      await gate.decide(approval, { granted, scope: 'once', by: { channel: who.channel, user: who.user } });
    },
  };
}

/** What was asked for here, and what whoever sits at this machine left behind. */
const isAskedHere = ({ input }: RunContext): boolean =>
  [CONSOLE, 'cli'].includes(input.view?.audience.source ?? input.requester.platform);

const maySee = (who: Onlooker, { input: { requester } }: Pick<RunContext, 'input'>): boolean =>
  who.isOwner || (requester.platform === CONSOLE && (requester.user === who.user || who.mayAgree));
