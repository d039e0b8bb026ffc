import {
  type FaultyServer,
  type ServiceAnswer,
  type ServiceRequest,
  startFaultyServer,
} from './faulty-server.ts';

interface Conclusion {
  readonly id: string;
  readonly content: string;
  readonly observer_id: string;
  readonly observed_id: string;
  readonly session_id: string;
  readonly created_at: string;
}

interface Workspace {
  readonly peers: Set<string>;
  readonly sessions: Map<string, Readonly<Record<string, { observe_me?: boolean }>>>;
  conclusions: Conclusion[];
}

const NAME = /^[a-zA-Z0-9_-]{1,100}$/;
const NOT_FOUND: ServiceAnswer = { status: 404, body: { detail: 'Not found' } };

/**
 * A server that speaks version 3 of Honcho's API. What an observed peer says becomes a conclusion as it is; a query
 * finds those that share a word with it. Names and relations are checked as the service does.
 */
export function startHonchoServer(key: string): Promise<FaultyServer> {
  const workspaces = new Map<string, Workspace>();
  return startFaultyServer((request): ServiceAnswer => {
    if (request.headers['authorization'] !== `Bearer ${key}`)
      return { status: 401, body: { detail: 'Invalid JWT' } };
    const [, version, root, id, ...rest] = request.path.split('/');
    if (version !== 'v3' || root !== 'workspaces') return NOT_FOUND;
    if (!id) return create(request, (name) => void (workspaces.has(name) || workspaces.set(name, empty())));
    const workspace = workspaces.get(id);
    return workspace ? inWorkspace(workspace, request, rest) : NOT_FOUND;
  });
}

const empty = (): Workspace => ({ peers: new Set(), sessions: new Map(), conclusions: [] });

function create({ method, body }: ServiceRequest, make: (id: string) => void): ServiceAnswer {
  const { id = '' } = body as { id?: string };
  if (method !== 'POST') return { status: 405, body: { detail: 'Method Not Allowed' } };
  if (!NAME.test(id)) return { status: 422, body: { detail: [{ loc: ['body', 'id'], msg: 'pattern' }] } };
  make(id);
  return { status: 200, body: { id, metadata: {}, configuration: {}, created_at: '2026-05-01T09:00:00Z' } };
}

function inWorkspace(workspace: Workspace, request: ServiceRequest, path: readonly string[]): ServiceAnswer {
  const [kind, id = '', what] = path;
  const route = `${request.method} ${kind}${id ? '/:id' : ''}${what ? `/${what}` : ''}`;
  const { body } = request;
  switch (route) {
    case 'POST peers':
      return create(request, (name) => void workspace.peers.add(name));
    case 'POST sessions':
      return create(request, (name) => {
        const { peers = {} } = body as { peers?: Record<string, { observe_me?: boolean }> };
        workspace.sessions.set(name, peers);
      });
    case 'POST sessions/:id/messages':
      return addMessages(workspace, id, body);
    case 'POST conclusions/:id':
      return id === 'query' ? query(workspace, body) : id === 'list' ? list(workspace, body) : NOT_FOUND;
    case 'DELETE conclusions/:id':
      workspace.conclusions = workspace.conclusions.filter((conclusion) => conclusion.id !== id);
      return { status: 204 };
    case 'POST peers/:id/sessions':
      return page([...workspace.sessions].filter(([, peers]) => id in peers).map(([name]) => ({ id: name })));
    case 'DELETE sessions/:id':
      return workspace.sessions.delete(id) ? { status: 202, body: { message: 'accepted' } } : NOT_FOUND;
    case 'PUT peers/:id/card':
      return workspace.peers.has(id) ? { status: 200, body } : NOT_FOUND;
    default:
      return NOT_FOUND;
  }
}

function addMessages(workspace: Workspace, session: string, body: unknown): ServiceAnswer {
  const peers = workspace.sessions.get(session);
  const { messages } = body as { messages: { peer_id: string; content: string; created_at: string }[] };
  if (!peers || messages.some(({ peer_id }) => !workspace.peers.has(peer_id))) return NOT_FOUND;
  for (const { peer_id, content, created_at } of messages) {
    if (!peers[peer_id]?.observe_me) continue;
    const id = `c${workspace.conclusions.length}`;
    const relation = { observer_id: peer_id, observed_id: peer_id, session_id: session };
    workspace.conclusions.push({ id, content, created_at, ...relation });
  }
  return { status: 201, body: messages.map((message, at) => ({ id: `msg${at}`, ...message })) };
}

interface Filters {
  readonly filters?: { readonly observer_id?: string; readonly observed_id?: string };
}

const relevant = ({ conclusions }: Workspace, { filters = {} }: Filters): Conclusion[] =>
  conclusions.filter(
    ({ observer_id, observed_id }) =>
      (filters.observer_id ?? observer_id) === observer_id &&
      (filters.observed_id ?? observed_id) === observed_id,
  );

function query(workspace: Workspace, body: unknown): ServiceAnswer {
  const { query: text, top_k = 10, ...rest } = body as Filters & { query: string; top_k?: number };
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const found = relevant(workspace, rest).filter(({ content }) =>
    words.some((word) => content.toLowerCase().includes(word)),
  );
  return { status: 200, body: found.slice(0, top_k) };
}

const list = (workspace: Workspace, body: unknown): ServiceAnswer =>
  page(relevant(workspace, body as Filters));

const page = (items: readonly { readonly id: string }[]): ServiceAnswer => ({
  status: 200,
  body: {
    items: items.slice(0, 100),
    total: items.length,
    page: 1,
    size: 100,
    pages: Math.ceil(items.length / 100),
  },
});
