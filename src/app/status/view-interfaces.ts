import type { HomeIncidents } from '../incidents/home-incidents.ts';
import type { Dependencies } from '../dependencies.ts';
import type { HomeReach } from './home-reach.ts';
import { type ReachView, viewReach } from './view-reach.ts';
import { type InterfaceView, interfaceState } from './interface-view.ts';
import { asText, say, tell, type Text } from '#kit/text';
import { operationsWith } from '#spec/data/operations';

type Needs = Pick<Dependencies, 'answering' | 'embedder' | 'settings'>;

/** Ways in for alerts: those that have started, and what the others lack. */
export interface WaysIn {
  readonly on: readonly string[];
  readonly off: readonly { readonly name: string; readonly why: Text | string }[];
}

/** Everything that can be connected, what is, and what the rest lacks. */
export async function viewInterfaces(
  deps: Needs,
  { backends }: Pick<HomeIncidents, 'backends'>,
  reach: Pick<HomeReach, 'things'>,
  alerts: WaysIn,
): Promise<readonly InterfaceView[]> {
  const views = reach.things().map(viewReach);
  const of = (part: ReachView['part']) => views.filter((view) => view.part === part).map(reachView);
  return [
    ...((await deps.answering()) === undefined ? [NO_MODEL] : of('model')),
    await memoryView(deps),
    ...(['telemetry', 'executors'] as const).flatMap((part) => [...of(part), ...otherKinds(part, backends)]),
    ...of('mcp'),
    ...alertViews(alerts),
    ...of('stores'),
    executionView(deps),
  ];
}

const NO_MODEL: InterfaceView = {
  name: 'model',
  part: 'model',
  state: 'off',
  what: tell('No model is connected: the built-in operator answers.', '没有连接模型：由内置操作员回答。'),
  fix: tell('Choose one and connect it.', '选择并连接一个模型。'),
  paste: { text: 'hermes model' },
};

function reachView(view: ReachView): InterfaceView {
  const { part, name, at, since, because, fix } = view;
  return {
    name,
    part,
    state: interfaceState(view),
    ...(at ? { at } : {}),
    ...(since ? { since } : {}),
    ...(because ? { what: because } : {}),
    ...(fix ? { fix } : {}),
    ...(view.state === 'not_set_up' && because ? pasteKeys(because.en) : {}),
  };
}

async function memoryView(deps: Needs): Promise<InterfaceView> {
  const { enabled, embedder } = deps.settings.memory;
  const view = { name: 'memory', part: 'memory' as const };
  if (!enabled)
    return {
      ...view,
      state: 'off',
      what: tell(
        'Nothing is remembered: memory.enabled is false.',
        '不记忆任何内容:memory.enabled 为 false。',
      ),
      fix: tell('Switch it on.', '将其开启。'),
      paste: { text: 'hermes config set memory.enabled true' },
    };
  const works = tell(`Vectors: ${embedder}`, `向量：${embedder}`);
  if (embedder !== 'local') return { ...view, state: 'ready', what: works };
  const { state } = await deps.embedder();
  if (state === 'ready') return { ...view, state: 'ready', what: works };
  return {
    ...view,
    state: 'missing',
    what: tell('It works by words alone: the vectors are not set up.', '仅按词检索：尚未配置向量。'),
    fix: tell('Set the vectors up.', '配置向量。'),
    paste: { text: 'hermes memory setup' },
  };
}

/** Kinds that nobody has configured. */
function otherKinds(
  part: 'telemetry' | 'executors',
  { listed, kinds }: HomeIncidents['backends'],
): InterfaceView[] {
  const types = new Set(listed.filter((one) => one.part === part).map(({ type }) => type));
  return kinds[part]
    .filter((kind) => !types.has(kind))
    .map(
      (kind): InterfaceView => ({
        name: kind,
        part,
        state: 'off',
        what: tell('It is not configured.', '未配置。'),
        fix: tell(
          `List it under \`${part}:\` of backends.yaml.`,
          `写入 backends.yaml 的 \`${part}:\` 之下。`,
        ),
        paste: { text: `${part}:\n  - type: ${kind}`, file: 'backends.yaml' },
      }),
    );
}

const alertViews = ({ on, off }: WaysIn): InterfaceView[] => [
  ...on.map((name): InterfaceView => {
    const address = `POST /gateway/${name}`;
    return { name, part: 'alerts', state: 'ready', what: tell(address, address) };
  }),
  ...off.map(
    ({ name, why }): InterfaceView => ({
      name,
      part: 'alerts',
      state: 'missing',
      what: asText(why),
      ...pasteKeys(say(why, 'en')),
    }),
  ),
];

/** Lines for `.env`, where names of variables stand in what is missing. */
function pasteKeys(sentence: string): Pick<InterfaceView, 'paste'> {
  const names = [...new Set(sentence.match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g))];
  return names.length ? { paste: { text: names.map((name) => `${name}=`).join('\n'), file: '.env' } } : {};
}

function executionView({ settings }: Needs): InterfaceView {
  const { execute, operations } = settings.incidents;
  const view = { name: 'execution', part: 'execution' as const };
  // To roll back is what most begin with.
  const list = `hermes config set incidents.operations '${JSON.stringify(operationsWith(['set_version']))}'`;
  if (!execute)
    return {
      ...view,
      state: 'off',
      what: tell('Approved actions are only rehearsed.', '获批的操作只预演，不执行。'),
      fix: tell(
        'Set incidents.execute to true, and list what may be done under incidents.operations.',
        '将 incidents.execute 设为 true，并在 incidents.operations 中列出允许的操作。',
      ),
      paste: { text: `hermes config set incidents.execute true\n${list}` },
    };
  if (operations.length === 0)
    return {
      ...view,
      state: 'missing',
      what: tell('No operation may be carried out.', '不允许执行任何操作。'),
      fix: tell(
        'List those that may under incidents.operations.',
        '在 incidents.operations 中列出允许的操作。',
      ),
      paste: { text: list },
    };
  const named = operations.join(', ');
  return { ...view, state: 'ready', what: tell(named, named) };
}
