import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '#testkit/model-server';
import { type Asked, OTHER, type Reply, SECRET, tokenOf, type UnderAttack, underAttack } from './served.ts';

/** What one person tries with what is another's, each with a token that is good for the route. */
let model: ModelServer;
let place: UnderAttack;
beforeAll(async () => {
  model = await startModelServer({ script: { rules: [], fallback: { text: 'Done.' } } });
  place = await underAttack({
    llm: { provider: 'scripted', model: 'script-1', max_retries: 0 },
    providers: {
      scripted: { base_url: `${model.url}/v1`, api_mode: 'chat_completions', api_key: 'key-of-the-model' },
    },
  });
}, 60_000);
afterAll(async () => {
  await place.close();
  await model.close();
});

const OPERATOR = tokenOf('operator');
const as = (token: string, method = 'GET', body?: unknown): Asked => ({
  method,
  token,
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
});
const told = (reply: Reply): Record<string, unknown> => JSON.parse(reply.text) as Record<string, unknown>;

describe('memory', () => {
  it('of another person is reached by no id, no place and no list', async () => {
    const kept = await place.ask(
      '/api/memory/entries',
      as(OPERATOR, 'POST', { text: 'my pager is on the left shelf', kind: 'preference' }),
    );
    expect(kept.status, kept.text).toBe(201);
    const id = String(told(kept)['id']);
    const scope = String(told(kept)['scope']);
    expect(scope).toBe('person/console/the-operator');
    const of = encodeURIComponent(scope);
    const attempts: [string, Asked][] = [
      [`/api/memory/entries/${id}`, as(OTHER)],
      [`/api/memory/entries/${id}`, as(OTHER, 'PUT', { text: 'it is on the right' })],
      [`/api/memory/entries/${id}/feedback`, as(OTHER, 'POST', { helpful: false })],
      [`/api/memory/entries/${id}/forget`, as(OTHER, 'POST')],
      [`/api/memory/entries/${id}/restore`, as(OTHER, 'POST')],
      [`/api/memory/notebooks?of=${of}`, as(OTHER)],
      ['/api/memory/notebooks/user', as(OTHER, 'POST', { of: scope, action: 'add', content: 'x' })],
      ['/api/memory/notebooks/user/preview', as(OTHER, 'POST', { of: scope, action: 'add', content: 'x' })],
      ['/api/memory/entries', as(OTHER, 'POST', { text: 'planted', kind: 'preference', of: scope })],
      [`/api/memory/user?of=${of}`, as(OTHER)],
      ['/api/memory/user', as(OTHER, 'PUT', { of: scope, path: 'role', value: 'x' })],
      [`/api/memory/user?of=${of}`, as(OTHER, 'DELETE')],
    ];
    for (const [path, asked] of attempts) {
      const reply = await place.ask(path, asked);
      expect([asked.method, path, reply.status]).toEqual([asked.method, path, 404]);
      expect(reply.text).not.toContain('shelf');
    }
    for (const query of [`scope=${of}`, 'q=pager', `q=pager&scope=${of}`, 'state=replaced', ''])
      expect((await place.ask(`/api/memory/entries?${query}`, as(OTHER))).text).not.toContain('shelf');
    expect((await place.ask('/api/memory/entries?q=pager', as(OPERATOR))).text).toContain('left shelf');
  });
});

describe('a write that waits', () => {
  it('is made once, however many agree to it at the same moment, and by nobody whose it is not', async () => {
    const { staged, store } = await place.host.memory();
    await staged.add({
      id: 'wr_once',
      scope: 'person/console/the-operator',
      target: 'entry',
      tool: 'remember',
      input: {
        kind: 'preference',
        text: 'prefers graphs before tables',
        scope: 'person/console/the-operator',
        provenance: { by: 'agent' },
      },
      shown: 'prefers graphs before tables',
      why: 'said so',
      at: Date.now(),
    });
    const approve = (token: string) => place.ask('/api/memory/staged/wr_once/approve', as(token, 'POST'));
    expect((await place.ask('/api/memory/staged', as(OTHER))).text.trim()).toBe('[]');
    expect((await approve(OTHER)).status).toBe(404);
    const replies = await Promise.all([OPERATOR, OPERATOR, OPERATOR, tokenOf('admin')].map(approve));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status } of replies) expect([200, 404, 409]).toContain(status);
    const kept = await store.list({ scopes: ['person/console/the-operator'], limit: 50 });
    expect(kept.filter(({ text }) => /graphs before/.test(text))).toHaveLength(1);
  });
});

describe('a conversation', () => {
  it('is another’s by no route, and one that answers does not tell that it is there', async () => {
    const begun = await place.ask('/api/chat', as(OPERATOR, 'POST', {}));
    const session = String(told(begun)['session']);
    const said = await place.ask(
      `/api/chat/${session}/messages`,
      as(OPERATOR, 'POST', { text: 'hello, quietly' }),
    );
    expect(said.status, said.text).toBe(202);
    await expect
      .poll(async () => (await place.ask(`/api/conversations/${session}/messages`, as(OPERATOR))).text, {
        timeout: 15_000,
      })
      .toContain('Done.');
    for (const token of [OTHER, tokenOf('approver'), tokenOf('admin')])
      for (const [path, method, body] of [
        ['events', 'GET'],
        ['items?before=9&limit=9', 'GET'],
        ['messages', 'POST', { text: 'x' }],
        ['steer', 'POST', { text: 'x' }],
        ['stop', 'POST', {}],
        ['command', 'POST', { line: '/fork' }],
        ['answers/ask_1', 'POST', { choice: 1 }],
        ['calls/call_1', 'GET'],
        ['messages/msg_1/images/0', 'GET'],
      ] as const) {
        const reply = await place.ask(`/api/chat/${session}/${path}`, as(token, method, body));
        expect([path, reply.status]).toEqual([path, 404]);
      }
    const mine = String(told(await place.ask('/api/chat', as(OTHER, 'POST', {})))['session']);
    for (const line of [`/resume ${session}`, `/RESUME\t${session}`]) {
      const reply = await place.ask(`/api/chat/${mine}/command`, as(OTHER, 'POST', { line }));
      expect([line, reply.status]).toEqual([line, 404]);
    }
    for (const part of ['', '/messages', '/facts', '/approvals', '/export', '/export?format=markdown'])
      expect((await place.ask(`/api/conversations/${session}${part}`, as(OTHER))).status).toBe(404);
    expect((await place.ask('/api/conversations/search?q=quietly', as(OTHER))).text.trim()).toBe('[]');
  });

  it('of the other API neither is held up nor told of by whoever else names it', async () => {
    const chat = (token: string, text: string, session: string, stream = false) =>
      place.ask('/v1/chat/completions', {
        ...as(token, 'POST', { model: 'hermes', stream, messages: [{ role: 'user', content: text }] }),
        headers: { 'x-hermes-session': session },
      });
    const first = await chat(OPERATOR, 'one', 'new');
    expect(first.status, first.text).toBe(200);
    const session = String(first.headers['x-hermes-session']);
    model.script({ rules: [], fallback: { text: 'slowly '.repeat(20), chunk: 7, delayMs: 60 } });
    const before = model.requests.length;
    const slow = chat(OPERATOR, 'two', session);
    await expect.poll(() => model.requests.length, { timeout: 10_000 }).toBeGreaterThan(before);
    expect((await chat(OTHER, 'three', session)).status).toBe(404);
    expect((await chat(OPERATOR, 'three', session)).status).toBe(409);
    expect((await slow).status).toBe(200);
    model.script({ rules: [], fallback: { text: 'Done.' } });
  });

  it('that is kept as a response is nobody else’s to read, cancel, go on from or delete', async () => {
    const made = await place.ask('/v1/responses', as(OPERATOR, 'POST', { model: 'hermes', input: 'mine' }));
    expect(made.status, made.text).toBe(200);
    const id = String(told(made)['id']);
    for (const [path, method, body] of [
      [id, 'GET'],
      [`${id}/input_items`, 'GET'],
      [`${id}/cancel`, 'POST', {}],
      [id, 'DELETE'],
    ] as const)
      for (const token of [OTHER, tokenOf('admin')])
        expect((await place.ask(`/v1/responses/${path}`, as(token, method, body))).status).toBe(404);
    const after = { model: 'hermes', input: 'x', previous_response_id: id };
    expect([400, 404]).toContain((await place.ask('/v1/responses', as(OTHER, 'POST', after))).status);
    expect((await place.ask(`/v1/responses/${id}`, as(OPERATOR))).status).toBe(200);
  });
});

describe('a skill', () => {
  it('gives no file that is not its own, by whatever name', async () => {
    const { skills } = told(await place.ask('/api/skills', as(OTHER))) as {
      skills: { name: string }[];
    };
    const name = encodeURIComponent(skills[0]?.name ?? '');
    for (const path of [
      '../../users.yaml',
      '/etc/passwd',
      '..%2f..%2f.env',
      '....//.env',
      'a/../../../.env',
      '.env\0',
    ]) {
      const reply = await place.ask(`/api/skills/${name}/files?path=${encodeURIComponent(path)}`, as(OTHER));
      expect([path, reply.status >= 400 && reply.status < 500]).toEqual([path, true]);
      expect(reply.text).not.toMatch(/root:|token_key|TOKEN_OF/);
    }
    for (const odd of ['..%2f..%2fusers.yaml', '__proto__', 'constructor', '%00', 'a%0ab']) {
      const reply = await place.ask(`/api/skills/${odd}`, as(OTHER));
      expect([odd, reply.status >= 400 && reply.status < 500]).toEqual([odd, true]);
    }
  });
});

it('no secret of the home is in a refusal or in a name that is given back', async () => {
  for (const path of [
    `/api/skills/${SECRET}`,
    `/api/conversations/${SECRET}`,
    `/api/chat/${SECRET}/items?before=1&limit=1`,
    `/api/memory/entries/${SECRET}`,
    `/api/digests?from=1&to=2&zone=${SECRET}`,
    `/api/conversations/x/messages/${SECRET}`,
  ]) {
    const reply = await place.ask(path, as(OPERATOR));
    expect([path, reply.status >= 400 && reply.status < 500]).toEqual([path, true]);
    expect([path, reply.text.includes(SECRET)]).toEqual([path, false]);
  }
});
