import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, afterAll, describe, expect, it } from 'vitest';
import { type Host, openHost } from '#host';
import { importSession } from '#app/sessions';
import { type IncidentHome, makeIncidentHome } from '#testkit/incident-home';
import { ask } from '#support/server/scripted-server';
import { type ServedHome, serveHome } from '../serve-home.ts';

const ANNA = 'the-token-of-anna-0123456';
const SECRET = 'swordfish-swordfish-9';
const NONE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
const SPENT = { input: 100, output: 20, cacheRead: 900, cacheWrite: 0, reasoning: 0 };
const TERMINAL = { source: 'cli', user: 'root', chat: 'terminal' };

let home: IncidentHome;
let host: Host;
let served: ServedHome;
/** Spoken with the built-in operator. */
let spoken: string;

beforeAll(async () => {
  home = await makeIncidentHome({ env: { ANNAS_TOKEN: ANNA, PAYMENT_API_KEY: SECRET } });
  await writeFile(
    join(home.folder, 'users.yaml'),
    '- {user: anna, role: approver, token_key: ANNAS_TOKEN}\n',
  );
  host = await openHost({ env: home.env, version: '1.2.3' });
  served = await serveHome(host);
  const talk = await host.conversation({ cwd: home.folder, language: 'en', platform: 'cli' });
  const stream = talk.send([{ type: 'text', text: 'hello there' }], new AbortController().signal);
  for await (const event of stream) void event;
  spoken = talk.session.id;
  await store('ses_anna', { source: 'api', user: 'anna', chat: 'x' }, 'why does checkout time out?');
  // Whoever has the same name at the terminal, or in a chat elsewhere, is somebody else.
  await store('ses_cli', { ...TERMINAL, user: 'anna' }, 'why does checkout wait?');
  await store('ses_root', TERMINAL, `the key of checkout is ${SECRET}, says the vault`);
});
afterAll(async () => {
  await served.close();
  await host.close();
  await home.remove();
});

async function store(id: string, audience: typeof TERMINAL, text: string): Promise<void> {
  const { sessions, transcript } = await host.database();
  const at = Date.now();
  const session = { ...audience, id, title: text, createdAt: at, updatedAt: at, messages: 0 };
  const prefix = { system: [{ text: 'You are Hermes.' }], tools: [] };
  await sessions.create({ ...session, usage: NONE, cost: 0 }, prefix);
  const entry = { turn: 1, at, state: 'active', kind: 'plain' } as const;
  const origin = { provider: 'p', model: 'm', protocol: 'chat_completions' } as const;
  await transcript.append(
    id,
    [
      {
        ...entry,
        id: `${id}-said`,
        message: {
          role: 'user',
          content: [
            { type: 'text', text },
            { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
            { type: 'text', text: '<memory-context>\nthe pool holds 20\n</memory-context>' },
          ],
        },
      },
      {
        ...entry,
        id: `${id}-answer`,
        message: { role: 'assistant', content: [{ type: 'text', text: 'y'.repeat(9_000) }], origin },
        usage: SPENT,
        cost: 0.25,
      },
    ],
    [
      { type: 'turn.started', at, data: { turn: 1, text } },
      { type: 'usage.recorded', at, data: { usage: SPENT, model: 'p/m', context: 1_000, window: 8_000 } },
    ],
  );
}

const get = async (path: string, token: string) => {
  const { status, text, headers } = await ask(served, `/api/conversations${path}`, { token });
  return { status, text, headers, body: () => JSON.parse(text) as Record<string, never>[] };
};

describe('who sees which conversation', () => {
  it('an admin all, everybody else their own', async () => {
    const ids = async (token: string) => new Set((await get('', token)).body().map(({ id }) => String(id)));
    expect(await ids(home.token)).toEqual(new Set(['ses_anna', 'ses_cli', 'ses_root', spoken]));
    expect(await ids(ANNA)).toEqual(new Set(['ses_anna']));
    expect(await ids(home.readOnlyToken)).toEqual(new Set());
  });

  it.each(['', '/messages', '/messages/ses_root-said', '/facts', '/approvals', '/export'])(
    'what is not theirs is not there: %s',
    async (part) => {
      expect((await get(`/ses_root${part}`, ANNA)).status).toBe(404);
      expect((await get(`/ses_cli${part.replace('root', 'cli')}`, ANNA)).status).toBe(404);
      expect((await get(`/ses_root${part}`, home.token)).status).toBe(200);
      expect((await get(`/ses_gone${part}`, home.token)).status).toBe(404);
      expect((await get(`/ses_anna${part.replace('root', 'anna')}`, ANNA)).status).toBe(200);
    },
  );

  it('a message of another session is not reached through an own one', async () => {
    expect((await get('/ses_anna/messages/ses_root-said', ANNA)).status).toBe(404);
  });

  it('a search finds only there', async () => {
    const found = async (token: string) =>
      new Set((await get('/search?q=checkout', token)).body().map(({ session }) => session));
    expect(await found(ANNA)).toEqual(new Set(['ses_anna']));
    expect(await found(home.token)).toEqual(new Set(['ses_anna', 'ses_cli', 'ses_root']));
  });
});

describe('what is shown of a conversation', () => {
  it('has passages with the words that were found', async () => {
    const [hit] = (await get('/search?q=checkout', ANNA)).body();
    expect(hit).toMatchObject({
      session: 'ses_anna',
      message: 'ses_anna-said',
      role: 'user',
      pieces: [
        { text: 'why does ', hit: false },
        { text: 'checkout', hit: true },
        { text: ' time out?', hit: false },
      ],
    });
  });

  it('has no secret in it, wherever one stood', async () => {
    const parts = [
      '',
      '/messages',
      '/facts',
      '/export',
      '/export?format=markdown',
      '/messages/ses_root-said',
    ];
    const answers = await Promise.all([
      get('', home.token),
      get('/search?q=vault', home.token),
      ...parts.map((part) => get(`/ses_root${part}`, home.token)),
    ]);
    for (const { status, text } of answers) {
      expect(status).toBe(200);
      expect(text).toContain('[secret:');
      expect(text).not.toContain(SECRET);
    }
  });

  it('marks images and what was recalled, and cuts what is long', async () => {
    const [said, answer] = (await get('/ses_anna/messages', ANNA)).body();
    expect(said).toMatchObject({
      role: 'user',
      parts: [
        { type: 'text', text: 'why does checkout time out?' },
        { type: 'image', mediaType: 'image/png', bytes: 9 },
        { type: 'memory', text: 'the pool holds 20', tokens: 5 },
      ],
    });
    expect(answer).toMatchObject({ model: 'p/m', usage: SPENT, cost: 0.25, parts: [{ more: 5_000 }] });
    const whole = JSON.parse((await get('/ses_anna/messages/ses_anna-answer', ANNA)).text) as unknown;
    expect(whole).toMatchObject({ parts: [{ text: 'y'.repeat(9_000) }] });
  });

  it('gives the facts after a number', async () => {
    const seqs = async (query: string) =>
      (await get(`/ses_anna/facts${query}`, ANNA)).body().map(({ seq }) => seq);
    expect(await seqs('')).toEqual([1, 2]);
    expect(await seqs('?after=0')).toEqual([1, 2]);
    expect(await seqs('?after=1')).toEqual([2]);
    expect(await seqs('?after=2')).toEqual([]);
    expect((await get('/ses_anna/facts?after=x', ANNA)).status).toBe(400);
  });

  it('names the segments of the prompt, and times of model calls', async () => {
    const view = JSON.parse((await get(`/${spoken}`, home.token)).text) as {
      prompt: { blocks: { segments: { name: string; text: string; tokens: number }[] }[]; tokens: number };
    };
    const segments = view.prompt.blocks.flatMap(({ segments: all }) => all);
    expect(segments.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['identity', 'platform', 'memory_guidance', 'tool_use']),
    );
    expect(segments.find(({ name }) => name === 'identity')?.text).toMatch(/^You are Hermes/);
    expect(view.prompt.tokens).toBeGreaterThan(segments.reduce((sum, { tokens }) => sum + tokens, 0));
    const facts = (await get(`/${spoken}/facts`, home.token)).body();
    const spent = facts.find(({ type }) => String(type) === 'usage.recorded');
    expect(spent).toMatchObject({ data: { ms: expect.any(Number) as number } });
  });

  it('falls back to whole blocks where a session is older than the names', async () => {
    expect(JSON.parse((await get('/ses_anna', ANNA)).text)).toMatchObject({
      prompt: { blocks: [{ segments: [{ name: 'block', text: 'You are Hermes.' }] }], tools: { list: [] } },
    });
  });

  it('exports what can be imported again, names of segments included', async () => {
    const { text, headers } = await get(`/${spoken}/export`, home.token);
    expect(headers['content-disposition']).toBe(`attachment; filename="${spoken}.json"`);
    const { id } = await importSession(host, text, 'export.json');
    const { sessions } = await host.database();
    const copy = await sessions.get(id);
    expect(copy?.prefix).toEqual((await sessions.get(spoken))?.prefix);
    expect(copy?.prefix.system[0]?.segments?.length).toBeGreaterThan(1);
    await sessions.remove([id]);
    expect((await get('/ses_anna/export?format=exe', ANNA)).status).toBe(400);
  });
});
