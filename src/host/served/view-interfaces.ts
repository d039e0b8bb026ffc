import { incidentKinds } from '#adapters/backends';
import type { AlertRoutes } from '../incidents/alert-routes.ts';
import type { HostIncidents } from '../incidents/open-incidents.ts';
import { embedderState } from '../memory/view-memory.ts';
import type { Host } from '../open-host.ts';
import type { InterfaceView } from './interface-view.ts';

/** Everything that can be connected, what is, and what the rest lacks. */
export async function viewInterfaces(
  host: Host,
  { backends }: Pick<HostIncidents, 'backends'>,
  alerts: AlertRoutes,
): Promise<readonly InterfaceView[]> {
  return [
    await modelView(host),
    await memoryView(host),
    ...(['telemetry', 'executors'] as const).flatMap((part) => backendViews(part, backends.listed)),
    ...alertViews(alerts),
    executionView(host),
  ];
}

async function modelView(host: Host): Promise<InterfaceView> {
  const answering = await host.answering();
  if (answering !== undefined) return { name: answering, part: 'model', state: 'ready' };
  const what = 'No model is connected: the built-in operator answers.';
  return { name: 'model', part: 'model', state: 'off', what, fix: 'hermes model' };
}

async function memoryView(host: Host): Promise<InterfaceView> {
  const { enabled, embedder } = host.loaded.config.memory;
  const view = { name: 'memory', part: 'memory' as const };
  if (!enabled) {
    const what = 'Nothing is remembered: memory.enabled is false.';
    return { ...view, state: 'off', what, fix: 'hermes config set memory.enabled true' };
  }
  if (embedder !== 'local') return { ...view, state: 'ready', what: `embedder: ${embedder}` };
  const { state } = await embedderState(host);
  if (state === 'ready') return { ...view, state: 'ready', what: 'embedder: local' };
  const what = 'It works by words alone: the vectors are not set up.';
  return { ...view, state: 'missing', what, fix: 'hermes memory setup' };
}

function backendViews(
  part: 'telemetry' | 'executors',
  listed: HostIncidents['backends']['listed'],
): InterfaceView[] {
  const own = listed.filter((one) => one.part === part);
  const configured = own.map(
    ({ name, missing }): InterfaceView =>
      missing
        ? { name, part, state: 'missing', what: missing.what, fix: missing.fix }
        : { name, part, state: 'ready' },
  );
  const types = new Set(own.map(({ type }) => type));
  const others = incidentKinds[part]
    .filter((kind) => !types.has(kind))
    .map(
      (kind): InterfaceView => ({
        name: kind,
        part,
        state: 'off',
        what: 'It is not configured.',
        fix: `Put \`- type: ${kind}\` under \`${part}:\` of backends.yaml.`,
      }),
    );
  return [...configured, ...others];
}

const alertViews = ({ on, off }: AlertRoutes): InterfaceView[] => [
  ...on.map(
    (name): InterfaceView => ({ name, part: 'alerts', state: 'ready', what: `POST /gateway/${name}` }),
  ),
  ...off.map(({ name, why }): InterfaceView => ({ name, part: 'alerts', state: 'missing', what: why })),
];

function executionView({ loaded }: Host): InterfaceView {
  const { execute, operations } = loaded.config.incidents;
  const view = { name: 'execution', part: 'execution' as const };
  if (!execute)
    return {
      ...view,
      state: 'off',
      what: 'Approved actions are only rehearsed.',
      fix: 'Set incidents.execute to true, and list incidents.operations.',
    };
  if (operations.length === 0)
    return {
      ...view,
      state: 'missing',
      what: 'No operation may be carried out.',
      fix: 'List those that may under incidents.operations.',
    };
  return { ...view, state: 'ready', what: operations.join(', ') };
}
