import { z } from 'zod';
import { dropHidden } from '#kit/hidden-characters';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { askHome, EntityState, friendlyName, noHome } from './home-assistant.ts';
import { answer, count } from '../text/answer.ts';
import { asResult } from '../services/as-result.ts';

const input = z.strictObject({
  domain: z
    .string()
    .regex(/^[a-z_]+$/)
    .optional()
    .describe('such as light, sensor, lock'),
  search: z.string().max(100).optional().describe('part of the name or id'),
  limit: z.int().min(1).max(500).default(100),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'ha_list_entities',
  toolset: 'home-assistant',
  description: 'List the things of a Home Assistant home and their states: lights, sensors, locks, switches.',
  input,
  deferred: true,
  effect: () => 0,
  footprint: () => ({ reads: ['home-assistant'] }),
  deed: () => ({ sendsTo: ['Home Assistant'], brings: ['untrusted', 'private'] }),
  missing: noHome,
  run: (wanted, context) => asResult(() => list(wanted, context)),
});

async function list({ domain, search, limit }: Input, context: ToolContext): Promise<ToolResult> {
  const states = await askHome('states', z.array(EntityState), context);
  const wanted = search?.toLowerCase();
  const matching = states.filter(
    (state) =>
      (!domain || state.entity_id.startsWith(`${domain}.`)) &&
      (!wanted || `${state.entity_id} ${friendlyName(state)}`.toLowerCase().includes(wanted)),
  );
  const entities = matching
    .slice(0, limit)
    .map((state) => ({ id: state.entity_id, name: dropHidden(friendlyName(state)), state: state.state }));
  const lines = entities.map(({ id, name, state }) => `${id} (${name}): ${state}`);
  const rest = matching.length - entities.length;
  if (rest > 0) lines.push(`[${count(rest, 'more entity', 'more entities')}; narrow it by domain or search]`);
  const found = count(matching.length, 'entity', 'entities');
  return answer(lines.join('\n') || 'Nothing of that kind was found.', found, {
    entities,
    total: matching.length,
  });
}
