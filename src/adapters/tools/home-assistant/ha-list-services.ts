import { z } from 'zod';
import { dropHidden } from '#kit/hidden-characters';
import { isRecord } from '#kit/is-record';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { askHome, forbiddenService, noHome } from './home-assistant.ts';
import { answer, count } from '../text/answer.ts';
import { asResult } from '../services/as-result.ts';

const Domains = z.array(z.object({ domain: z.string(), services: z.record(z.string(), z.unknown()) }));

const input = z.strictObject({
  domain: z
    .string()
    .regex(/^[a-z0-9_]+$/)
    .optional()
    .describe('such as light; without it, only names'),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'ha_list_services',
  toolset: 'home-assistant',
  description: 'What a Home Assistant home can be told to do, and with which fields.',
  input,
  deferred: true,
  effect: () => 0,
  footprint: () => ({ reads: ['home-assistant'] }),
  deed: () => ({ sendsTo: ['Home Assistant'], brings: ['untrusted'] }),
  missing: noHome,
  maxChars: 20_000,
  run: (wanted, context) => asResult(() => list(wanted, context)),
});

async function list({ domain }: Input, context: ToolContext): Promise<ToolResult> {
  const all = await askHome('services', Domains, context);
  const allowed = all.filter((one) => !forbiddenService({ domain: one.domain, service: '' }));
  const shown = domain ? allowed.filter((one) => one.domain === domain) : allowed;
  const lines = domain
    ? shown.flatMap((one) =>
        Object.entries(one.services).map(([name, about]) => serviceLine(one.domain, name, about)),
      )
    : shown.map((one) => `${one.domain}: ${Object.keys(one.services).join(', ')}`);
  const services = shown.flatMap((one) => Object.keys(one.services).map((name) => `${one.domain}.${name}`));
  const text = lines.join('\n') || `There are no services of ${domain ?? 'any kind'}.`;
  return answer(dropHidden(text), count(services.length, 'service'), { services });
}

function serviceLine(domain: string, name: string, about: unknown): string {
  const description =
    isRecord(about) && typeof about.description === 'string' ? `: ${about.description}` : '';
  const fields = isRecord(about) && isRecord(about.fields) ? Object.keys(about.fields) : [];
  return `${domain}.${name}${description}${fields.length > 0 ? ` (fields: ${fields.join(', ')})` : ''}`;
}
