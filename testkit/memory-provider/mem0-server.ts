import {
  type FaultyServer,
  type ServiceAnswer,
  type ServiceRequest,
  startFaultyServer,
} from './faulty-server.ts';

interface Kept {
  readonly id: string;
  readonly memory: string;
  readonly user_id: string;
  readonly created_at: string;
}

/**
 * A server that speaks mem0's API: the platform's (`v1`, `v2`, a `Token`) or that of its own server (`X-API-Key`). What
 * a user says becomes a memory as it is; a search finds those that share a word with the query.
 */
export function startMem0Server(key: string, dialect: 'platform' | 'self-hosted'): Promise<FaultyServer> {
  let kept: Kept[] = [];
  const platform = dialect === 'platform';
  const paths = platform
    ? { search: '/v2/memories/search/', memories: '/v1/memories/' }
    : { search: '/search', memories: '/memories' };
  return startFaultyServer((request): ServiceAnswer => {
    const { method, path, query, headers } = request;
    const sent = platform ? headers['authorization'] : headers['x-api-key'];
    if (sent !== (platform ? `Token ${key}` : key))
      return { status: 401, body: { detail: 'Invalid API key.' } };
    if (method === 'POST' && path === paths.search) return search(kept, request, platform);
    if (method === 'POST' && path === paths.memories) {
      const added = add(request, kept.length);
      if (!added) return { status: 400, body: { detail: 'At least one identifier is required.' } };
      kept = [...kept, ...added];
      return {
        status: 200,
        body: { results: added.map(({ id, memory }) => ({ id, memory, event: 'ADD' })) },
      };
    }
    if (method === 'DELETE' && path === paths.memories) {
      const user = query.get('user_id');
      if (!user) return { status: 400, body: { detail: 'At least one identifier is required.' } };
      kept = kept.filter(({ user_id }) => user_id !== user);
      return { status: 200, body: { message: 'Memories deleted successfully!' } };
    }
    return { status: 404, body: { detail: 'Not found.' } };
  });
}

function search(kept: readonly Kept[], { body }: ServiceRequest, platform: boolean): ServiceAnswer {
  const {
    query,
    user_id,
    filters,
    top_k = 10,
  } = body as {
    query: string;
    user_id?: string;
    filters?: { AND?: { user_id?: string }[] };
    top_k?: number;
  };
  const user = platform ? filters?.AND?.[0]?.user_id : user_id;
  if (!user) return { status: 400, body: { detail: 'Filters are required and cannot be empty.' } };
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const found = kept
    .filter(
      ({ user_id: owner, memory }) =>
        owner === user && words.some((word) => memory.toLowerCase().includes(word)),
    )
    .slice(0, top_k)
    .map((memory) => ({ ...memory, updated_at: memory.created_at, score: 0.5, metadata: null }));
  return { status: 200, body: platform ? found : { results: found } };
}

function add({ body }: ServiceRequest, count: number): Kept[] | undefined {
  const { messages, user_id } = body as { messages: { role: string; content: string }[]; user_id?: string };
  if (!user_id) return undefined;
  return messages
    .filter(({ role }) => role === 'user')
    .map(({ content }, at) => ({
      id: `m${count + at}`,
      memory: content,
      user_id,
      created_at: '2026-05-01T09:00:00.000000-07:00',
    }));
}
