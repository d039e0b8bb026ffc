import { withoutFence } from '#kit/memory-fence';
import type { AgentEvent, StoredMessage, UserPart } from '#spec/data';
import type { ChatImage, ChatItem, ToolItem } from './chat.ts';
import { short } from './turn-items.ts';

type Step =
  | { readonly type: 'message'; readonly id: string }
  | { readonly type: 'fact'; readonly fact: AgentEvent };

/**
 * A stored conversation as it was shown while it took place: its facts in their order, with what was said put in. What
 * compaction has archived is there; what was taken back is not. `messages`: active and archived ones.
 */
export function pastItems(messages: readonly StoredMessage[], facts: readonly AgentEvent[]): ChatItem[] {
  const known = new Map(messages.map((message) => [message.id, message]));
  const items: ChatItem[] = [];
  const tools = new Map<string, number>();
  let said: string | undefined;
  /** Whether anything of the turn is still there. */
  let shown = false;
  /** Whether its end is still to come: a killed process leaves a turn without one. */
  let open = false;

  const change = (call: string, make: (tool: ToolItem) => ToolItem): void => {
    const at = tools.get(call);
    const tool = at === undefined ? undefined : items[at];
    if (at !== undefined && tool?.kind === 'tool') items[at] = make(tool);
  };
  const say = (stored: StoredMessage): void => {
    const { message, at, kind, id } = stored;
    if (kind !== 'plain') return;
    shown = true;
    if (message.role === 'user') {
      items.push({
        kind: 'user',
        text: said ?? spoken(message.content),
        images: picturesOf(id, message.content),
        at,
      });
      said = undefined;
    } else if (message.role === 'tool')
      change(message.callId, (tool) => ({ ...tool, state: message.isError ? 'failed' : 'done' }));
    else
      for (const part of message.content) {
        if (part.type === 'tool_call') {
          tools.set(part.id, items.length);
          const call = { call: part.id, name: part.name, arguments: short(part.arguments) };
          items.push({ kind: 'tool', ...call, state: 'stopped', at });
        } else if (part.text.trim())
          items.push(
            part.type === 'text'
              ? { kind: 'text', text: part.text }
              : { kind: 'thinking', text: part.text, at, ms: 0 },
          );
      }
  };
  const breakOff = (): void => {
    if (open && shown) items.push({ kind: 'stopped' });
  };
  const tell = (fact: AgentEvent): void => {
    if (fact.type === 'turn.started') {
      breakOff();
      said = fact.data.text;
      shown = false;
      open = true;
    } else if (fact.type === 'tool.ended') {
      const { call, ms, summary } = fact.data;
      change(call, (tool) => ({ ...tool, ms, summary }));
    } else if (fact.type === 'context.compacted')
      items.push({ kind: 'compacted', before: fact.data.before, after: fact.data.after });
    else if (fact.type === 'steering.applied' && shown) items.push({ kind: 'steer', text: fact.data.text });
    else if (fact.type === 'turn.ended') {
      open = false;
      if (!shown) return;
      if (fact.data.status === 'aborted') items.push({ kind: 'stopped' });
      else if (fact.data.error) items.push({ kind: 'error', error: fact.data.error });
    }
  };
  for (const step of stepsOf(messages, facts)) {
    if (step.type === 'fact') tell(step.fact);
    else {
      const stored = known.get(step.id);
      if (stored) say(stored);
    }
  }
  breakOff();
  return items;
}

/** A session that came from elsewhere may have messages without facts about them: then their order is all there is. */
function stepsOf(messages: readonly StoredMessage[], facts: readonly AgentEvent[]): Step[] {
  if (!facts.some(({ type }) => type === 'message.added'))
    return messages.map(({ id }) => ({ type: 'message', id }));
  // The user's words are stored with the fact that their turn began, and before it.
  const steps: Step[] = [];
  for (const fact of facts) {
    if (fact.type !== 'message.added') {
      const before = steps.at(-1);
      if (fact.type === 'turn.started' && before?.type === 'message') steps.pop();
      steps.push({ type: 'fact', fact });
      if (fact.type === 'turn.started' && before?.type === 'message') steps.push(before);
    } else steps.push({ type: 'message', id: fact.data.message });
  }
  return steps;
}

/** The words of a message, without what was brought along. */
export const spoken = (content: readonly UserPart[]): string =>
  withoutFence(content)
    .flatMap((part) =>
      part.type === 'text' && !part.text.startsWith('<reference name="') ? [part.text] : [],
    )
    .join('\n');

export const picturesOf = (message: string, content: readonly UserPart[]): ChatImage[] =>
  content.flatMap((part, index) => (part.type === 'image' ? [{ message, part: index }] : []));
