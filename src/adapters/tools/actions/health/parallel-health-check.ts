import { z } from 'zod';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { checkEndpoint, kindOfEndpoint } from './check-endpoint.ts';
import { Endpoint, type HealthResult } from '../endpoint.ts';
import { languageFor, LanguageChoice } from '../said.ts';
import { answer } from '../../text/answer.ts';
import { hostOf } from '../../services/host-of.ts';

const input = z.strictObject({
  endpoints: z.array(Endpoint).min(1).max(200),
  concurrency: z.int().min(1).max(20).default(8),
  language: LanguageChoice,
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'parallel_health_check',
  toolset: 'actions',
  description: 'Check many endpoints side by side: HTTP (status, time, text), TCP ports, containers.',
  input,
  deferred: true,
  // A POST may change something at the other end.
  effect: ({ endpoints }) => (endpoints.some(({ method }) => method === 'POST') ? 2 : 0),
  footprint: () => ({}),
  deed: ({ endpoints }) => {
    const hosts = endpoints
      .filter((endpoint) => kindOfEndpoint(endpoint) === 'http')
      .map(({ url = '' }) => hostOf(url));
    return hosts.length > 0 ? { sendsTo: [...new Set(hosts)], brings: ['untrusted'] } : {};
  },
  run: check,
});

async function check(
  { endpoints, concurrency, language: asked }: Input,
  context: ToolContext,
): Promise<ToolResult> {
  const language = languageFor(asked ?? context.language, endpoints);
  const results: HealthResult[] = Array.from({ length: endpoints.length });
  let next = 0;
  const worker = async () => {
    while (next < endpoints.length) {
      const at = next++;
      const endpoint = endpoints[at];
      if (!endpoint) return;
      results[at] = await checkEndpoint(endpoint, language, context);
      context.update(`${results[at].name}: ${results[at].state}`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, endpoints.length) }, worker));
  const healthy = results.filter(({ ok }) => ok).length;
  const lines = results.map(({ name, state, message }) => `${state.toUpperCase()} ${name}: ${message}`);
  const summary = `${healthy} of ${results.length} healthy`;
  return answer([summary, ...lines].join('\n'), summary, {
    results,
    total: results.length,
    healthy,
    unhealthy: results.length - healthy,
    all_healthy: healthy === results.length,
    checked_at: Date.now(),
  });
}
