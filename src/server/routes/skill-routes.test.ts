import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Host, openHost } from '#host';
import { makeIncidentHome, personOf } from '#testkit/incident-home';
import { ask, type Asked } from '#support/server/scripted-server';
import { type ServedHome, serveHome } from '../serve-home.ts';

const ANNA = 'the-token-of-anna-0123456';
const OLGA = 'the-token-of-olga-0123456';
const OTTO = 'the-token-of-otto-0123456';
const OWNER = 'the-token-of-the-owner-01';
const USERS = JSON.stringify([
  personOf('anna', 'approver', ANNA),
  personOf('olga', 'operator', OLGA),
  personOf('otto', 'operator', OTTO),
  personOf('owner', 'admin', OWNER),
]);

const GREET = `skill:
  name: greet
  version: "1.0"
  description: "Greets somebody and waves, for the tests of the page"
  arguments:
    who: {type: string, required: true, description: whom to greet}
  execution:
    steps:
      - name: say
        action: http_check
        condition: "false"
        args: {url: "http://127.0.0.1:1/{{who}}"}
      - name: wave
        action: json_query
        args: {data: '{"hand": "left"}', path: hand}
        requires_confirmation: true
        confirmation_message: "Wave at {{who}}?"
        output_key: waved
  output:
    template: "waved at {{who}}"
`;
const GUARDED = `skill:
  name: guarded
  version: "1.0"
  description: "Counts under guard, for the tests of the page"
  execution:
    steps:
      - {name: count, action: json_query, args: {data: '{"n": 2}', path: n}}
  output: {template: counted}
`;
const document = (line: string) =>
  `---\nname: drain-node\ndescription: Drains a node before its reboot.\nversion: 1.0.0\n---\n\n# Drain\n\n1. ${line}\n`;

interface Served {
  readonly home: Awaited<ReturnType<typeof makeIncidentHome>>;
  readonly host: Host;
  readonly served: ServedHome;
  get(path: string, token?: string): Promise<Told>;
  post(path: string, body?: unknown, token?: string): Promise<Told>;
}
interface Told {
  readonly status: number;
  /** A list stands under `all`. */
  readonly body: Readonly<Record<string, unknown>>;
}

async function serving(
  files: Readonly<Record<string, string>> = {},
  config: Readonly<Record<string, unknown>> = {},
): Promise<Served> {
  const env = { ANNAS_TOKEN: ANNA, OLGAS_TOKEN: OLGA, OTTOS_TOKEN: OTTO };
  const home = await makeIncidentHome({ env, config });
  onTestFinished(() => home.remove());
  await writeFile(join(home.folder, 'users.yaml'), USERS);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(home.folder, 'skills', path)), { recursive: true });
    await writeFile(join(home.folder, 'skills', path), text);
  }
  const host = await openHost({ env: home.env, version: '1.2.3' });
  onTestFinished(() => host.close());
  const served = await serveHome(host);
  onTestFinished(() => served.close());
  const send = async (path: string, asked: Asked): Promise<Told> => {
    const { status, text } = await ask(served, path, asked);
    const body = JSON.parse(text) as Record<string, unknown>;
    return { status, body: Array.isArray(body) ? { all: body } : body };
  };
  return {
    home,
    host,
    served,
    get: (path, token = home.token) => send(path, { token }),
    post: (path, body = {}, token = home.token) =>
      send(path, { method: 'POST', token, body: JSON.stringify(body) }),
  };
}

/** Asks for a run until it is as wanted. */
const runUntil = (
  { get }: Served,
  id: string,
  token: string,
  test: (run: Readonly<Record<string, unknown>>) => boolean,
) =>
  vi.waitFor(
    async () => {
      const { body } = await get(`/api/skill-runs/${id}`, token);
      if (!test(body)) throw new Error(`it is ${JSON.stringify(body)}`);
      return body as unknown as {
        readonly state: string;
        readonly text?: string;
        readonly steps: readonly { readonly name: string; readonly state: string }[];
        readonly waiting: {
          readonly questions: readonly {
            readonly id: string;
            readonly question: string;
            readonly choices: string[];
          }[];
          readonly approvals: readonly { readonly id: string; readonly shown: string }[];
        };
      };
    },
    { timeout: 15_000, interval: 50 },
  );
const waits = ({ questions }: Readonly<Record<string, unknown>>) => Number(questions) > 0;
const ended = ({ state }: Readonly<Record<string, unknown>>) => state !== 'running';

describe('the library over HTTP', () => {
  it('is everybody’s to read and to search, and says what is not offered and why', async () => {
    const { home, get } = await serving({ 'ops/greet.yaml': GREET }, { skills: { disabled: ['disk-full'] } });
    const { body } = await get('/api/skills', home.readOnlyToken);
    expect(body['skills']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          name: 'greet',
          form: 'workflow',
          root: 'home',
          trust: 'user',
          uses: 0,
          hidden: [],
        }),
        expect.objectContaining({ name: 'disk-full', root: 'builtin', hidden: [{ kind: 'disabled' }] }),
      ]),
    );
    const found = await get('/api/skills?text=disk%20full', home.readOnlyToken);
    const [best] = found.body['skills'] as { readonly name: string; readonly score: number }[];
    expect(best?.name).toMatch(/disk/);
    expect(best?.score).toBeGreaterThan(0);
    expect((await get('/api/skills/nothing-of-the-kind')).status).toBe(404);
    expect((await get('/api/skills/config.yaml')).status).toBe(404);
    expect((await get('/api/skills/greet/files?path=..%2F..%2Fconfig.yaml')).status).toBe(400);
  });

  it('tells no secret that stands in a skill', async () => {
    const { get } = await serving({ 'drain-node/SKILL.md': document(`log in with ${OTTO}`) });
    const { body } = await get('/api/skills/drain-node');
    expect(body['body']).toContain('log in with');
    expect(JSON.stringify(body)).not.toContain(OTTO);
  });

  it('shows a workflow with its arguments, its steps and the text', async () => {
    const { home, get } = await serving({ 'ops/greet.yaml': GREET });
    const { body } = await get('/api/skills/greet', home.readOnlyToken);
    expect(body).toMatchObject({
      source: GREET,
      plan: {
        arguments: [{ name: 'who', from: 'missing', description: 'whom to greet', type: 'string' }],
        steps: [
          { name: 'say', batch: 1, condition: 'false' },
          { name: 'wave', batch: 2, asks: expect.arrayContaining(['confirmation']) },
        ],
      },
      versions: [],
      uses: [],
    });
  });
});

describe('runs over HTTP', () => {
  it('ask whoever started them, count as a use, and are nobody else’s business', async () => {
    const home = await serving({ 'ops/greet.yaml': GREET });
    const { get, post } = home;
    expect(
      (await post('/api/skills/greet/runs', { args: { who: 'ben' } }, home.home.readOnlyToken)).status,
    ).toBe(403);
    expect(await post('/api/skills/greet/runs', {}, OLGA)).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('needs who') },
    });
    expect((await post('/api/skills/greet/runs', { backend: 'local' }, OLGA)).status).toBe(403);
    expect((await post('/api/skills/package.json.yaml/runs', {}, OLGA)).status).toBe(404);
    const { status, body } = await post('/api/skills/greet/runs', { args: { who: 'ben' } }, OLGA);
    expect(status).toBe(202);
    const id = String(body['run']);
    const asked = await runUntil(home, id, OLGA, waits);
    expect(asked.steps).toMatchObject([
      { name: 'say', state: 'skipped' },
      { name: 'wave', state: 'running' },
    ]);
    const [question] = asked.waiting.questions;
    expect(question).toMatchObject({
      question: expect.stringContaining('Wave at ben?'),
      choices: ['No', 'Yes'],
    });
    const answer = `/api/skill-runs/${id}/answers/${question?.id}`;
    expect((await get(`/api/skill-runs/${id}`, OTTO)).status).toBe(404);
    expect((await get('/api/skill-runs', OTTO)).body['all']).toEqual([]);
    expect((await post(answer, { choice: 'Yes' }, OTTO)).status).toBe(404);
    expect((await post(answer, { choice: 'Maybe' }, OLGA)).status).toBe(400);
    expect((await get('/api/skill-runs?skill=greet', ANNA)).body['all']).toMatchObject([
      { id, questions: 1 },
    ]);
    expect((await post(answer, { choice: 'Yes' }, OLGA)).status).toBe(200);
    const done = await runUntil(home, id, OLGA, ended);
    expect(done).toMatchObject({
      state: 'done',
      text: 'waved at ben',
      by: { user: 'olga', platform: 'console' },
    });
    await vi.waitFor(
      async () =>
        expect((await get('/api/skills/greet')).body).toMatchObject({
          skill: { uses: 1, successes: 1, recent: [true] },
          uses: [{ success: true, version: '1.0' }],
        }),
      { timeout: 5_000 },
    );
    expect((await post(answer, { choice: 'Yes' }, OLGA)).status).toBe(409);
    expect((await get('/api/learning')).body).toMatchObject({ loop: { sinceReflected: 1 } });
  });

  it('are refused where nobody answers, and go on at a step afterwards', async () => {
    const home = await serving({ 'ops/greet.yaml': GREET }, { gate: { wait_s: 1 } });
    const started = await home.post('/api/skills/greet/runs', { args: { who: 'ben' } }, OLGA);
    const id = String(started.body['run']);
    expect((await runUntil(home, id, OLGA, ended)).state).toBe('refused');
    const from = { step: 'wave', run: id };
    expect((await home.post('/api/skills/greet/runs', { args: { who: 'ben' }, from }, OTTO)).status).toBe(
      404,
    );
    const again = await home.post('/api/skills/greet/runs', { args: { who: 'ben' }, from }, OLGA);
    expect(again.status).toBe(202);
    const second = await runUntil(home, String(again.body['run']), OLGA, ended);
    expect(second).toMatchObject({ from, steps: [{ name: 'say', state: 'skipped' }, { state: 'refused' }] });
  });

  it('put what the gate asks before approvers alone, and leave who agreed in the audit log', async () => {
    const home = await serving({ 'guarded.yaml': GUARDED }, { gate: { tools: { json_query: 'ask' } } });
    const started = await home.post('/api/skills/guarded/runs', {}, OLGA);
    const id = String(started.body['run']);
    const { waiting } = await runUntil(home, id, OLGA, waits);
    const [approval] = waiting.approvals;
    expect(approval).toMatchObject({ tool: 'json_query' });
    const path = `/api/skill-runs/${id}/approvals/${approval?.id}`;
    expect((await home.post(path, { granted: true }, OLGA)).status).toBe(403);
    expect(
      (await home.post(`/api/skill-runs/${id}/approvals/apr_none`, { granted: true }, ANNA)).status,
    ).toBe(404);
    expect((await home.post(path, { granted: true }, ANNA)).status).toBe(200);
    expect((await runUntil(home, id, OLGA, ended)).state).toBe('done');
    const lines = await (await home.host.gate()).audit.last(50);
    const granted = lines.find(({ kind }) => kind === 'approval.granted');
    expect(granted).toMatchObject({
      requester: { user: 'olga', platform: 'console' },
      data: { by: { user: 'anna' } },
    });
  });

  it('end where they are cancelled, with what they asked taken back', async () => {
    const home = await serving({ 'guarded.yaml': GUARDED }, { gate: { tools: { json_query: 'ask' } } });
    const started = await home.post('/api/skills/guarded/runs', {}, OLGA);
    const id = String(started.body['run']);
    await runUntil(home, id, OLGA, waits);
    expect((await home.post(`/api/skill-runs/${id}/cancel`, {}, OTTO)).status).toBe(404);
    expect((await home.post(`/api/skill-runs/${id}/cancel`, {}, OLGA)).status).toBe(202);
    expect((await runUntil(home, id, OLGA, ended)).state).not.toBe('done');
    expect(await (await home.host.gate()).pending()).toEqual([]);
    expect((await home.post(`/api/skill-runs/${id}/cancel`, {}, OLGA)).status).toBe(409);
  });
});

describe('what was learned over HTTP', () => {
  it('has versions that can be compared, and edits that can be seen and undone', async () => {
    const { home, host, get, post } = await serving();
    const { writer } = await host.skills();
    const path = 'learned/drain-node/SKILL.md';
    const write = (action: 'created' | 'improved', line: string) =>
      writer.apply({
        action,
        skill: 'drain-node',
        changes: [{ path, text: document(line) }],
        why: `to ${line}`,
        by: 'learning',
      });
    await write('created', 'cordon it');
    const edit = await write('improved', 'cordon it, then drain it');
    const shown = await get('/api/skills/drain-node', home.readOnlyToken);
    expect(shown.body['versions']).toMatchObject([
      { state: 'active', why: 'to cordon it, then drain it' },
      { state: 'superseded' },
    ]);
    const [newer, older] = shown.body['versions'] as { readonly digest: string }[];
    const { body } = await get(`/api/skills/drain-node/diff?from=${older?.digest}&to=${newer?.digest}`);
    expect(body['diff']).toContain('-1. cordon it\n+1. cordon it, then drain it');
    const learned = await get('/api/learning', home.readOnlyToken);
    expect(learned.body).toMatchObject({ ledger: [{ id: edit.id, by: 'learning', undone: false }, {}] });
    expect(learned.body).not.toHaveProperty('kinds');
    expect((await get('/api/learning')).body).toHaveProperty('kinds');
    expect((await get(`/api/skill-edits/${edit.id}`)).body['diff']).toContain('+1. cordon it, then drain it');
    expect((await post(`/api/skill-edits/${edit.id}/undo`, {}, home.readOnlyToken)).status).toBe(403);
    expect((await post(`/api/skill-edits/${edit.id}/undo`, {}, OLGA)).status).toBe(200);
    expect(await readFile(join(home.folder, 'skills', path), 'utf8')).toContain('1. cordon it\n');
    expect((await post(`/api/skill-edits/${edit.id}/undo`, {}, OLGA)).status).toBe(400);
    expect((await post('/api/skills/drain-node/pin', { on: true }, OLGA)).status).toBe(200);
    expect((await get('/api/learning')).body).toMatchObject({
      loop: { pinned: ['drain-node'], curatedAt: 0 },
    });
    expect((await post('/api/learning/curate', {}, OLGA)).status).toBe(200);
    expect((await get('/api/learning')).body).not.toMatchObject({ loop: { curatedAt: 0 } });
  });

  it('waits for the owner as drafts, whom nobody else sees', async () => {
    const { home, host, get, post } = await serving();
    const { staged } = await host.memory();
    const path = 'learned/drain-node/SKILL.md';
    const wish = (id: string) => ({
      id,
      scope: 'person/cli/somebody' as const,
      target: 'skill' as const,
      tool: 'skill_change',
      input: {
        action: 'created',
        skill: 'drain-node',
        changes: [{ path, text: document('cordon it') }],
        why: 'w',
        by: 'learning',
      },
      shown: 'created drain-node',
      why: 'learned from what was done',
      at: Date.now(),
    });
    await staged.add(wish('wr_1'));
    await staged.add(wish('wr_2'));
    expect((await get('/api/skill-drafts', ANNA)).status).toBe(403);
    const { body } = await get('/api/skill-drafts');
    expect(body['all']).toMatchObject([
      { skill: 'drain-node', action: 'created', diff: expect.stringContaining('+1. cordon it') },
      { skill: 'drain-node' },
    ]);
    expect((await post('/api/skill-drafts/wr_1/reject')).status).toBe(200);
    expect((await post('/api/skill-drafts/wr_1/approve', {}, OWNER)).status).toBe(404);
    expect((await post('/api/skill-drafts/wr_2/approve')).status).toBe(403);
    expect((await post('/api/skill-drafts/wr_2/approve', {}, OWNER)).body).toEqual({
      said: 'drain-node: created',
    });
    expect(await readFile(join(home.folder, 'skills', path), 'utf8')).toContain('cordon it');
    expect((await get('/api/skill-drafts')).body['all']).toEqual([]);
  });
});
