import { z } from 'zod';
import { tell } from '#kit/text';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import {
  askHome,
  EntityId,
  EntityState,
  forbiddenService,
  friendlyName,
  levelOf,
  noHome,
  targetsOf,
} from './home-assistant.ts';
import { answer, count, refusal } from '../text/answer.ts';
import { asResult } from '../services/as-result.ts';

const Name = z.string().regex(/^[a-z0-9_]+$/);

const input = z.strictObject({
  domain: Name.describe('such as light'),
  service: Name.describe('such as turn_on'),
  entity_id: z.union([EntityId, z.array(EntityId).min(1).max(50)]).optional(),
  data: z.record(z.string(), z.json()).optional().describe('fields of the service, such as brightness'),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'ha_call_service',
  toolset: 'home-assistant',
  description: 'Tell a Home Assistant home to do something: switch, dim, heat, lock. Look up services first.',
  input,
  deferred: true,
  effect: levelOf,
  footprint: () => ({ writes: ['home-assistant'] }),
  deed: (call) => {
    const refuse = forbiddenService(call);
    const what = `${call.domain}.${call.service} on ${targetsOf(call).join(', ') || 'everything that it applies to'}`;
    return {
      sendsTo: ['Home Assistant'],
      ...(refuse ? { refuse } : {}),
      ...(levelOf(call) === 3
        ? { confirm: tell(`${what} concerns the safety of the home.`, `${what} 关系到家居安全。`) }
        : {}),
    };
  },
  missing: noHome,
  run: (call, context) => asResult(() => act(call, context)),
});

async function act(call: Input, context: ToolContext): Promise<ToolResult> {
  const refuse = forbiddenService(call);
  if (refuse) return refusal(refuse);
  const body = { ...call.data, ...(call.entity_id === undefined ? {} : { entity_id: call.entity_id }) };
  const changed = await askHome(
    `services/${call.domain}/${call.service}`,
    z.array(EntityState),
    context,
    body,
  );
  const lines = changed.map((state) => `${state.entity_id} (${friendlyName(state)}): ${state.state}`);
  const done = `${call.domain}.${call.service} was called`;
  const text = lines.length > 0 ? lines.join('\n') : 'Nothing reported a new state yet; ha_get_state tells.';
  const data = { changed: changed.map(({ entity_id: id, state }) => ({ id, state })) };
  return answer(`${done}.\n${text}`, `${done}, ${count(changed.length, 'change')}`, data);
}
