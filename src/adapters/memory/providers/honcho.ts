import { z } from 'zod';
import { fail } from '#kit/app-error';
import type { Audience } from '#spec/data';
import { defineMemoryProvider, type MemoryProvider } from '#spec/ports';
import { type Asked, askJson, type JsonRequest } from '../wire/ask-json.ts';
import { baseUrl } from '../wire/base-url.ts';
import { outsideName } from '../wire/outside-name.ts';

const HOSTED = 'https://api.honcho.dev';
const WORKSPACE = 'hermes';
/** Hermes takes part in a session as a peer of its own, which is not studied. */
const SELF = 'hermes-agent';
const PAGE = 100;
/** More is not removed in one go; calling again goes on. */
const MOST_PAGES = 50;
const MOST_MESSAGE = 25_000;

const Conclusions = z.array(
  z.object({ id: z.string(), content: z.string(), created_at: z.string().nullish() }),
);
const Page = z.object({ items: z.array(z.object({ id: z.string() })) });

const peerOf = ({ source, user }: Audience): string => outsideName(source, user);

export const memoryProvider = defineMemoryProvider({
  name: 'honcho',
  missing: (key) =>
    key('HONCHO_API_KEY') || key('HONCHO_URL')
      ? undefined
      : {
          what: 'neither HONCHO_API_KEY nor HONCHO_URL is set',
          fix: 'hermes config set HONCHO_API_KEY <key>, or HONCHO_URL for a server of your own',
        },
  open: ({ key, fetch }) => {
    const secret = key('HONCHO_API_KEY');
    const asked: Asked = {
      service: 'Honcho',
      keyName: 'HONCHO_API_KEY',
      fetch,
      headers: secret ? { authorization: `Bearer ${secret}` } : {},
    };
    return honcho(
      asked,
      baseUrl(key('HONCHO_URL') ?? HOSTED, 'HONCHO_URL'),
      key('HONCHO_WORKSPACE_ID') ?? WORKSPACE,
    );
  },
});

function honcho(asked: Asked, base: URL, workspace: string): MemoryProvider {
  const ask = (
    method: JsonRequest['method'],
    path: string,
    signal: AbortSignal,
    body?: unknown,
  ): Promise<unknown> =>
    askJson(asked, {
      method,
      url: new URL(`v3/workspaces${path}`, base),
      signal,
      ...(body === undefined ? {} : { body }),
    });
  const inside = `/${encodeURIComponent(workspace)}`;
  /** What is known to exist there. Getting it creates it, so that asking twice does no harm. */
  const made = new Set<string>();
  const ensure = async (
    path: string,
    body: { readonly id: string; readonly peers?: unknown },
    signal: AbortSignal,
  ): Promise<void> => {
    const name = `${path} ${body.id}`;
    if (made.has(name)) return;
    await ask('POST', path, signal, body);
    made.add(name);
  };
  const removeAll = async (
    list: string,
    item: (id: string) => string,
    body: unknown,
    signal: AbortSignal,
  ) => {
    for (let round = 0; round < MOST_PAGES; round++) {
      const answer = await ask('POST', `${inside}${list}?page=1&size=${PAGE}`, signal, body);
      const items = answer === undefined ? [] : read(Page, answer).items;
      for (const { id } of items) await ask('DELETE', `${inside}${item(encodeURIComponent(id))}`, signal);
      if (items.length < PAGE) return;
    }
  };

  return {
    name: 'honcho',
    recall: async (query, audience, limit, signal) => {
      const peer = peerOf(audience);
      const answer = await ask('POST', `${inside}/conclusions/query`, signal, {
        query,
        top_k: Math.min(limit, PAGE),
        filters: { observer_id: peer, observed_id: peer },
      });
      if (answer === undefined) return [];
      return read(Conclusions, answer).map(({ content, created_at }) => {
        const when = Date.parse(created_at ?? '');
        return { text: content, ...(Number.isFinite(when) ? { at: when } : {}) };
      });
    },
    observe: async ({ session, said, answered, at }, audience, signal) => {
      const peer = peerOf(audience);
      // A session there is of one person, so that forgetting one takes nothing from another.
      const id = outsideName(audience.source, audience.user, session);
      await ensure('', { id: workspace }, signal);
      await ensure(`${inside}/peers`, { id: peer }, signal);
      await ensure(`${inside}/peers`, { id: SELF }, signal);
      const peers = {
        [peer]: { observe_me: true, observe_others: false },
        [SELF]: { observe_me: false, observe_others: false },
      };
      await ensure(`${inside}/sessions`, { id, peers }, signal);
      const created_at = new Date(at).toISOString();
      const messages = [
        { peer_id: peer, content: said.slice(0, MOST_MESSAGE), created_at },
        { peer_id: SELF, content: answered.slice(0, MOST_MESSAGE), created_at },
      ].filter(({ content }) => content.trim());
      if (messages.length) await ask('POST', `${inside}/sessions/${id}/messages`, signal, { messages });
    },
    forget: async (audience, signal) => {
      const peer = peerOf(audience);
      made.clear();
      await removeAll(
        '/conclusions/list',
        (id) => `/conclusions/${id}`,
        { filters: { observed_id: peer } },
        signal,
      );
      await removeAll(`/peers/${peer}/sessions`, (id) => `/sessions/${id}`, {}, signal);
      await ask('PUT', `${inside}/peers/${peer}/card`, signal, { peer_card: [] });
    },
  };
}

function read<T>(schema: z.ZodType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw fail('tool.failed', 'Honcho answered in a shape that is not known');
  return parsed.data;
}
