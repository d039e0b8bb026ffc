import { z } from 'zod';
import { fail } from '#kit/app-error';
import type { Audience } from '#spec/data';
import { defineMemoryProvider, type OutsideMemory } from '#spec/ports';
import { type Asked, askJson } from '../wire/ask-json.ts';
import { baseUrl } from '../wire/base-url.ts';
import { outsideName } from '../wire/outside-name.ts';

const PLATFORM = 'https://api.mem0.ai';

const Found = z.object({
  memory: z.string(),
  score: z.number().nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
});
/** A list, or a list under `results`: both are in use. */
const Results = z.union([z.array(z.unknown()), z.object({ results: z.array(z.unknown()) })]);

const userOf = ({ source, user }: Audience): string => outsideName(source, user);

export const memoryProvider = defineMemoryProvider({
  name: 'mem0',
  missing: (key) =>
    key('MEM0_API_KEY') || key('MEM0_URL')
      ? undefined
      : {
          what: 'neither MEM0_API_KEY nor MEM0_URL is set',
          fix: 'hermes config set MEM0_API_KEY <key>, or MEM0_URL for a server of your own',
        },
  open: ({ key, fetch }) => {
    const base = baseUrl(key('MEM0_URL') ?? PLATFORM, 'MEM0_URL');
    const secret = key('MEM0_API_KEY');
    const dialect = base.origin === PLATFORM ? 'platform' : (key('MEM0_API') ?? 'self-hosted');
    const platform = dialect === 'platform';
    const asked: Asked = {
      service: 'mem0',
      keyName: 'MEM0_API_KEY',
      fetch,
      headers: secret ? (platform ? { authorization: `Token ${secret}` } : { 'x-api-key': secret }) : {},
    };
    const at = (path: string): URL => new URL(path, base);
    return {
      name: 'mem0',
      recall: async (query, audience, limit, signal) => {
        const user_id = userOf(audience);
        const answer = await askJson(asked, {
          method: 'POST',
          url: at(platform ? 'v2/memories/search/' : 'search'),
          body: platform
            ? { query, filters: { AND: [{ user_id }] }, top_k: limit }
            : { query, user_id, top_k: limit },
          signal,
        });
        return readResults(answer).slice(0, limit);
      },
      observe: async ({ session, said, answered, at: when }, audience, signal) => {
        const messages = [
          { role: 'user', content: said },
          { role: 'assistant', content: answered },
        ].filter(({ content }) => content.trim());
        if (messages.length === 0) return;
        const shared = { messages, user_id: userOf(audience), metadata: { session } };
        await askJson(asked, {
          method: 'POST',
          url: at(platform ? 'v1/memories/' : 'memories'),
          body: platform
            ? { ...shared, version: 'v2', output_format: 'v1.1', timestamp: Math.floor(when / 1000) }
            : shared,
          signal,
        });
      },
      forget: async (audience, signal) => {
        const url = at(platform ? 'v1/memories/' : 'memories');
        url.searchParams.set('user_id', userOf(audience));
        await askJson(asked, { method: 'DELETE', url, signal });
      },
    };
  },
});

function readResults(answer: unknown): OutsideMemory[] {
  if (answer === undefined) return [];
  const parsed = Results.safeParse(answer);
  if (!parsed.success) throw fail('tool.failed', 'mem0 answered in a shape that is not known');
  const list = Array.isArray(parsed.data) ? parsed.data : parsed.data.results;
  return list.flatMap((item): OutsideMemory[] => {
    const found = Found.safeParse(item);
    if (!found.success) return [];
    const { memory, score, created_at, updated_at } = found.data;
    const when = Date.parse(updated_at ?? created_at ?? '');
    return [
      {
        text: memory,
        ...(typeof score === 'number' ? { score } : {}),
        ...(Number.isFinite(when) ? { at: when } : {}),
      },
    ];
  });
}
