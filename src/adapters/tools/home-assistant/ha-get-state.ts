import { z } from 'zod';
import { dropHidden } from '#kit/hidden-characters';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { askHome, EntityId, EntityState, friendlyName, noHome } from './home-assistant.ts';
import { answer } from '../text/answer.ts';
import { asResult } from '../services/as-result.ts';

const input = z.strictObject({ entity_id: EntityId });
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'ha_get_state',
  toolset: 'home-assistant',
  description: 'The state of one thing in a Home Assistant home, with its attributes.',
  input,
  deferred: true,
  effect: () => 0,
  footprint: () => ({ reads: ['home-assistant'] }),
  deed: () => ({ sendsTo: ['Home Assistant'], brings: ['untrusted', 'private'] }),
  missing: noHome,
  maxChars: 10_000,
  run: (wanted, context) => asResult(() => state(wanted, context)),
});

async function state({ entity_id: id }: Input, context: ToolContext): Promise<ToolResult> {
  const found = await askHome(`states/${id}`, EntityState, context);
  const attributes = Object.entries(found.attributes).map(
    ([name, value]) => `${name}: ${JSON.stringify(value)}`,
  );
  const since = found.last_changed ? ` since ${found.last_changed}` : '';
  const text = [`${id} (${friendlyName(found)}): ${found.state}${since}`, ...attributes].join('\n');
  return answer(dropHidden(text), `${id}: ${found.state}`, found);
}
