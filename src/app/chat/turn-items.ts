import { type KnownSecrets, redact } from '#kit/redact';
import type { AgentEvent } from '#spec/data';
import { redactDeep } from '#kit/redact';
import type { ChatActivity, ChatItem, ToolItem } from './chat.ts';
import type { ItemList } from './item-list.ts';

/** Of longer arguments the beginning is shown; all of them are in the details of the call. */
const MOST_ARGUMENTS = 2_000;

export interface TurnItems {
  readonly activity: ChatActivity;
  readonly budget: { readonly used: number; readonly limit: number } | undefined;
  show(event: AgentEvent): void;
}

/** Shows a turn as it happens. `user`: the place of what the user said. */
export function turnItems(
  list: ItemList,
  user: number,
  { now, secrets }: { readonly now: () => number; readonly secrets: KnownSecrets },
): TurnItems {
  let activity: ChatActivity = { kind: 'waiting' };
  let budget: TurnItems['budget'];
  let lastStop: string | undefined;
  const last = () => list.items.length - 1;

  /** Thinking is over as soon as anything else comes; a text that is whole can be looked through for credentials. */
  const settle = (): void => {
    const item = list.items[last()];
    if (item?.kind === 'thinking' && item.ms === undefined)
      list.put(last(), { ...item, text: redact(item.text, secrets), ms: now() - item.at });
    if (item?.kind !== 'text' || redact(item.text, secrets) === item.text) return;
    list.put(last(), { ...item, text: redact(item.text, secrets) });
  };
  const grow = (kind: 'text' | 'thinking', text: string): void => {
    const item = list.items[last()];
    const isOpen = item?.kind === kind && !(item.kind === 'thinking' && item.ms !== undefined);
    if (isOpen && last() > user) return list.grow(last(), text);
    settle();
    list.add(kind === 'text' ? { kind, text } : { kind, text, at: now() });
    return undefined;
  };
  const changeTool = (call: string, change: (tool: ToolItem) => ToolItem): void => {
    const at = list.items.findLastIndex((item) => item.kind === 'tool' && item.call === call);
    const tool = list.items[at];
    if (tool?.kind === 'tool') list.put(at, change(tool));
    const count = list.items.filter((item) => item.kind === 'tool' && item.state === 'running').length;
    activity = count ? { kind: 'tools', count } : { kind: 'waiting' };
  };
  const add = (item: ChatItem): void => {
    settle();
    list.add(redactDeep(item, secrets));
  };
  const end = ({ status, error }: Extract<AgentEvent, { type: 'turn.ended' }>['data']): void => {
    settle();
    list.items.forEach((item, index) => {
      if (item.kind === 'tool' && item.state === 'running') list.put(index, { ...item, state: 'stopped' });
    });
    if (status === 'aborted') add({ kind: 'stopped' });
    else if (error) add({ kind: 'error', error });
    else if (lastStop === 'length') add({ kind: 'cut_short' });
  };

  const show = (event: AgentEvent): void => {
    switch (event.type) {
      case 'message.added': {
        const said = list.items[user];
        const { message, role } = event.data;
        if (role === 'user' && said?.kind === 'user' && said.images.some((each) => !each.message))
          list.put(user, { ...said, images: said.images.map(({ part }) => ({ message, part })) });
        return;
      }
      case 'thinking.delta':
        activity = { kind: 'thinking' };
        return grow('thinking', event.data.text);
      case 'text.delta':
        activity = { kind: 'writing' };
        return grow('text', event.data.text);
      case 'tool_call.start':
        activity = { kind: 'preparing', name: event.data.name };
        return settle();
      case 'tool.started': {
        const { call, name } = event.data;
        add({
          kind: 'tool',
          call,
          name,
          arguments: short(event.data.arguments),
          state: 'running',
          at: now(),
        });
        return changeTool(call, (tool) => tool);
      }
      case 'tool.update': {
        const progress = redact(event.data.text, secrets);
        return changeTool(event.data.call, (tool) => ({ ...tool, progress }));
      }
      case 'tool.ended': {
        const { call, isError, ms } = event.data;
        const summary = redact(event.data.summary, secrets);
        return changeTool(call, (tool) => {
          const { kind, name, arguments: given, at } = tool;
          const state = isError ? 'failed' : 'done';
          return { kind, call, name, arguments: given, at, state, ms, summary };
        });
      }
      case 'attempt.failed': {
        const { error, next } = event.data;
        if (next.kind === 'stop') return;
        const who = next.kind === 'failover' ? next : (error.source ?? { provider: '', model: '' });
        activity = {
          kind: 'retrying',
          who: [who.provider, who.model].filter(Boolean).join('/'),
          at: now() + (next.kind === 'retry' ? next.afterMs : 0),
        };
        const again = { kind: 'attempt', error, next } as const;
        if (list.items[last()]?.kind === 'attempt') list.put(last(), redactDeep(again, secrets));
        else add(again);
        return;
      }
      case 'response.end':
        if (event.data.status === 'done') lastStop = event.data.stop;
        return settle();
      case 'compaction.start':
        activity = { kind: 'compacting' };
        return;
      case 'context.compacted':
        activity = { kind: 'waiting' };
        return add({ kind: 'compacted', before: event.data.before, after: event.data.after });
      case 'steering.applied':
        return add({ kind: 'steer', text: event.data.text });
      case 'notice':
        return add({ kind: 'notice', text: event.data.text });
      case 'budget.update':
        budget = event.data;
        activity = { kind: 'waiting' };
        return;
      case 'turn.ended':
        return end(event.data);
      default:
    }
  };
  return {
    get activity() {
      return activity;
    },
    get budget() {
      return budget;
    },
    show,
  };
}

export const short = (json: string): string =>
  json.length > MOST_ARGUMENTS ? `${json.slice(0, MOST_ARGUMENTS)}…` : json;
