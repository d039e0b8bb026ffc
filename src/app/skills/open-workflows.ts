import { callTool } from '#engines/agent';
import { homeScope, type MemoryView, scanMemory } from '#engines/memory';
import {
  type CallOccasion,
  type RunContext,
  runWorkflow,
  type WorkflowDeps,
  type WorkflowEvent,
  workflowFlow,
  type WorkflowReply,
  type WorkflowRequest,
} from '#engines/skills';
import { say, tell } from '#kit/text';
import type { Language } from '#kit/language';
import { fail } from '#kit/app-error';
import type { AskUser, Missing, ToolResult } from '#spec/ports';
import type { Dependencies } from '../dependencies.ts';
import { openToolbox, type Toolbox } from '../tools/open-toolbox.ts';
import { dataOf, noteOf } from './workflow-notes.ts';
import { checkWorld } from './world-checks.ts';

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
  | 'tracing'
>;

export interface WorkflowsOptions {
  /** The folder that runs work in unless they began elsewhere. */
  readonly cwd: string;
  /** Who is here, and may be asked about runs of their own. */
  readonly view: MemoryView;
  /** Where commands run, chosen by a person. */
  readonly backend?: string | undefined;
  /** Absent where nobody can be asked. */
  readonly ask?: AskUser | undefined;
  /** Whom to ask about each run, where several people are here. `ask` then only says that there are some. */
  readonly peopleOf?: ((run: RunContext) => RunPeople | undefined) | undefined;
  readonly report?: (event: WorkflowEvent) => void;
}

/** The ways to whoever can be asked about a run. */
export interface RunPeople {
  /** For questions of its steps. */
  readonly ask: AskUser;
  /** For requests of the gate, which are decided by its own records. */
  readonly agree: AskUser;
}

export interface Workflows {
  /** `onStart` is told once the run is kept; not where an earlier result is given. */
  run(
    request: WorkflowRequest,
    signal: AbortSignal,
    onStart?: () => void,
  ): Promise<WorkflowReply | undefined>;
  close(): Promise<void>;
}

/** The key under which a workflow asks how a project wants its code. */
const CONVENTIONS = 'project_conventions';

/**
 * Runs workflow skills of this home. While it is open it also goes on with runs whose process is gone. Each acts for
 * whoever asked for it: with their memory and in their name. What one asks for is asked here when it is of the person
 * who is here, and refused otherwise.
 */
export async function openWorkflows(deps: Needs, options: WorkflowsOptions): Promise<Workflows> {
  const boxes = new Map<string, Promise<Toolbox>>();
  const boxFor = (
    view: MemoryView,
    cwd: string,
    backend: string | undefined,
    language: Language,
  ): Promise<Toolbox> => {
    const key = JSON.stringify([view, cwd, backend]);
    const known =
      boxes.get(key) ??
      openToolbox(deps, {
        cwd,
        audience: view.audience,
        language,
        caller: 'flow',
        backend,
        engineTools: () => deps.engineTools({ view, language, cwd }),
      });
    boxes.set(key, known);
    return known;
  };
  const boxOf = ({ input }: RunContext): Promise<Toolbox> =>
    boxFor(viewOf(input), input.workspace ?? options.cwd, input.backend, input.language);
  const here = options.ask && { ask: options.ask, agree: options.ask };
  const peopleOf =
    options.peopleOf ?? (({ input }: RunContext) => (isOf(viewOf(input), options.view) ? here : undefined));
  const first = await boxFor(options.view, options.cwd, options.backend, 'en');
  const { tools: offered } = await first.toolsFor(options.ask);
  // A tool that lacks something is known all the same: what a workflow asks for first says so better.
  const lame = (await deps.builtInTools()).filter(({ name }) => !offered.names.includes(name));
  const known = new Map(lame.map((tool) => [tool.name, tool]));
  const names = [...offered.names, ...known.keys()];
  const place = {
    ...first.open.powers,
    sees: await deps.sees(),
    ...(options.ask ? { ask: options.ask } : {}),
  };

  const call: WorkflowDeps['callTool'] = async (name, input, occasion) => {
    const box = await boxOf(occasion.run);
    const people = peopleOf(occasion.run);
    const { tools: set } = await box.toolsFor(people?.ask);
    const lacking = set.names.includes(name) ? undefined : known.get(name)?.missing?.(place);
    if (lacking) return missingResult(lacking);
    return callTool(name, input, callDeps(box, set, occasion, people));
  };
  const report = (await deps.tracing())?.workflows(options.report) ?? options.report;
  const flow = workflowFlow({
    // A name that is nearly right is a mistake here, not something to be repaired.
    tools: {
      names,
      find: (name) => (offered.names.includes(name) ? offered.find(name) : known.get(name)),
    },
    now: Date.now,
    callTool: call,
    ...(options.ask ? { confirm: confirmBy((run) => peopleOf(run)?.ask) } : {}),
    check: async (check, occasion) => {
      const { powers } = (await boxOf(occasion.run)).open;
      const patiently = <T>(wait: () => Promise<T>) => wait();
      const through = (name: string, input: unknown) => call(name, input, { ...occasion, patiently });
      return checkWorld(check, { powers, env: deps.env, callTool: through }, occasion.signal);
    },
    memory: async (key, occasion) => {
      const { memory } = await deps.memory();
      const [entry] = await memory.list(viewOf(occasion.run.input), { key, limit: 1 });
      if (entry) return dataOf(entry.text);
      // What nobody told is what the project says of itself.
      if (key !== CONVENTIONS) return undefined;
      const patiently = <T>(wait: () => Promise<T>) => wait();
      const { isError, data } = await call('fetch_conventions', {}, { ...occasion, patiently });
      return isError ? undefined : data;
    },
    remember: async (key, value, { run }) => {
      const { store } = await deps.memory();
      const { clean } = await boxOf(run);
      const text = clean(noteOf(key, value, clean));
      // What a workflow keeps for its next run is data; everything else that no memory may hold, it may not hold either.
      const { refused, because } = scanMemory(text);
      if (refused && because !== 'dump') throw fail('tool.refused', refused);
      const scope = homeScope('note', viewOf(run.input));
      await store.put([{ kind: 'note', key, text, scope, provenance: { by: 'workflow' }, at: Date.now() }]);
    },
    ...(report ? { report } : {}),
  });
  const flows = await deps.flows([flow], ({ code, message }) =>
    deps.log.error('flow.failed', { flow: 'workflow', error: `${code}: ${message}` }),
  );
  return {
    run: (request, signal, onStart) =>
      runWorkflow(flows, flow, request, { signal, now: Date.now, ...(onStart ? { onStart } : {}) }),
    close: () => flows.close(),
  };
}

/** Where a run was asked for. What did not say so is of whoever asked, and nobody listens. */
const viewOf = ({ view, requester }: Pick<RunContext['input'], 'view' | 'requester'>): MemoryView =>
  view ?? {
    audience: { source: requester.platform, user: requester.user, chat: requester.session },
    shared: false,
  };

const isOf = ({ audience }: MemoryView, { audience: here }: MemoryView): boolean =>
  audience.source === here.source && audience.user === here.user;

const missingResult = ({ what, fix }: Missing): ToolResult => ({
  content: [{ type: 'text', text: `${say(what, 'en')} ${say(fix, 'en')}` }],
  summary: say(what, 'en'),
  isError: true,
});

type CallDeps = Parameters<typeof callTool>[2];

function callDeps(
  box: Toolbox,
  tools: CallDeps['tools'],
  { run, signal, patiently }: CallOccasion,
  people: RunPeople | undefined,
): CallDeps {
  const { session } = run.input.requester;
  return {
    tools,
    signal,
    present: box.present,
    clean: box.clean,
    // What a person takes to decide is not the step's time.
    permit: (...asked) => patiently(() => box.permit(...asked)),
    scope: { session, turn: 0, run: run.id, ask: people?.agree, signal },
    contextFor: (call) => ({
      ...box.open.powers,
      call: call.id,
      session,
      language: run.input.language,
      audience: box.audience,
      signal,
      ...(people ? { ask: people.ask } : {}),
      todos: { read: () => [], write: () => undefined },
      update: () => undefined,
    }),
  };
}

const confirmBy =
  (askFor: (run: RunContext) => AskUser | undefined): NonNullable<WorkflowDeps['confirm']> =>
  async ({ step, message, preview }, { run, signal }) => {
    const no = tell('No', '不执行')[run.input.language];
    const yes = tell('Yes', '执行')[run.input.language];
    const answer = await askFor(run)?.(
      [`${step}: ${message}`, preview].filter(Boolean).join('\n'),
      [no, yes],
      signal,
    );
    return answer === undefined ? undefined : answer === yes;
  };
