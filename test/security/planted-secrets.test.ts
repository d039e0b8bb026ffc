import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportIncident } from '#host/incidents/transfer-incidents';
import { exportSession, importSession } from '#app/sessions';
import { type Host, openHost } from '#host';
import { type ServedHome, serveHome } from '#server';
import { alertmanagerPayload, type IncidentHome, makeIncidentHome } from '#testkit/incident-home';
import { startGithubDeployments } from '#testkit/github-deployments';
import { type ModelServer, startModelServer } from '#testkit/model-server';
import { turn } from '../agent/workplace.ts';

/**
 * A secret in every place that a text can come from, and a look into everything that Hermes wrote, sent and showed:
 * none is found again. Each place has one of its own, so that a leak names its source.
 */

const planted = new Map<string, string>();
/** Different at every place, the same in every run. */
const drawn = (place: string): string => createHash('sha256').update(`planted ${place}`).digest('base64url');
/** A password that looks like one a person made. */
function password(place: string): string {
  const value = `Tr0ub4dor-${drawn(place).replace(/[-_]/g, '').slice(0, 10)}-9x`;
  planted.set(place, value);
  return value;
}
function token(place: string): string {
  const value = `ghp_${drawn(place).replace(/[-_]/g, 'a').slice(0, 36)}`;
  planted.set(place, value);
  return value;
}
planted.set('a notebook', drawn('a notebook').replace(/[-_]/g, 'b'));
/** Looks like nothing at all: only its being in `.env` tells. */
function odd(place: string): string {
  const value = `tulip-harbour-${drawn(place)
    .replace(/[^a-z]/g, '')
    .slice(0, 9)}`;
  planted.set(place, value);
  return value;
}

const GITHUB_TOKEN = odd('the key of a backend');
const ENV = { VAULT_PHRASE: odd('.env'), HARBOUR_TOKEN: odd('the environment') };
const inAnswer = odd('an answer of the model');
const inLogLine = odd('a known one in a log line');
const inLabel = odd('a known one in a label');
const inMemory = odd('a known one in a memory');
const PEM_BODY = `MIIEvQ${drawn('pem one')}${drawn('pem two').slice(0, 14)}`.replace(/[-_]/g, 'A');
planted.set('a private key', PEM_BODY);

/** An MCP server whose one tool answers with a text. */
const mcpServer = (answer: string): string => `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    const say = (rest) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...rest }) + '\\n');
    if (method === 'initialize') say({ id, result: { protocolVersion: params.protocolVersion,
      capabilities: { tools: {} }, serverInfo: { name: 'vaulted', version: '1' } } });
    else if (method === 'tools/list') say({ id, result: { tools: [
      { name: 'look', description: 'Looks.', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }] } });
    else if (method === 'tools/call') say({ id, result: { content: [{ type: 'text', text: ${JSON.stringify(answer)} }] } });
    else if (id !== undefined) say({ id, error: { code: -32601, message: 'no' } });
  });
`;

let deployments: Awaited<ReturnType<typeof startGithubDeployments>>;
let models: ModelServer;
let backend: Server;
let collector: Server;
const traced: string[] = [];
let home: IncidentHome;
let project: string;
let host: Host;
let served: ServedHome;
const seen: { what: string; text: string }[] = [];
const keep = (what: string, text: string): string => {
  seen.push({ what, text });
  return text;
};

const listening = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(`${served.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${home.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  keep(`${method} ${path}`, text);
  keep(`headers of ${method} ${path}`, JSON.stringify([...answer.headers]));
  return { status: answer.status, text };
}

/** Listens to a stream of events until it is told to stop. */
function follow(path: string): () => void {
  const over = new AbortController();
  const read = async () => {
    const answer = await fetch(`${served.url}${path}`, {
      headers: { authorization: `Bearer ${home.token}`, accept: 'text/event-stream' },
      signal: over.signal,
    });
    for await (const chunk of answer.body ?? []) keep(`events of ${path}`, Buffer.from(chunk).toString());
  };
  // Ended by us, in the middle of it.
  read().catch((error: unknown) => keep(`end of ${path}`, String(error)));
  return () => over.abort();
}

beforeAll(async () => {
  models = await startModelServer({ script: { rules: [], fallback: { text: 'Done.' } } });
  backend = createServer((_, answer) => {
    answer.statusCode = 500;
    answer.end(
      JSON.stringify({ error: `cannot sign in with password=${password('an error of a backend')}` }),
    );
  });
  collector = createServer((request, answer) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      traced.push((request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString());
      answer.end('{}');
    });
  });
  const [backendUrl, collectorUrl] = await Promise.all([listening(backend), listening(collector)]);
  deployments = await startGithubDeployments(GITHUB_TOKEN);
  const at = (ago: number): string => new Date(Date.now() - ago).toISOString();
  const deployed = deployments.deploy('shop/payment', {
    sha: 'a'.repeat(40),
    at: at(120_000),
    ref: `CHANGED password=${password('a summary of a change')}`,
  });
  deployments.status('shop/payment', deployed, 'success', at(60_000));
  project = await mkdtemp(join(tmpdir(), 'hermes-planted-'));
  await mkdir(join(project, '.git'));
  await writeFile(join(project, 'app.ini'), `[db]\npassword = ${password('a file that is read')}\n`);
  await writeFile(join(project, 'dump.txt'), `api_key: ${token('what a command prints')}\n`);
  const repositories = [{ repository: 'shop/payment', service: 'payment' }];
  const github = { type: 'github', base_url: deployments.url, repositories };
  home = await makeIncidentHome({
    config: {
      llm: { provider: 'scripted', model: 'script-1', max_retries: 0 },
      providers: {
        scripted: { base_url: `${models.url}/v1`, api_mode: 'chat_completions', api_key: 'k-123456' },
      },
      tracing: { endpoint: collectorUrl },
    },
    telemetry: [{ type: 'loki', base_url: backendUrl }, { type: 'embedded' }, github],
    env: { HARBOUR_TOKEN: ENV.HARBOUR_TOKEN, GITHUB_TOKEN },
  });
  await writeFile(
    join(home.folder, '.env'),
    `VAULT_PHRASE=${ENV.VAULT_PHRASE}\nA=${inAnswer}\nB=${inLogLine}\nC=${inLabel}\nD=${inMemory}\n`,
    { mode: 0o600 },
  );
  const answer = `MCP-ANSWERED: the password for the vault is ${password('a result of an MCP server')}`;
  const vaulted = { command: process.execPath, args: ['-e', mcpServer(answer)] };
  await writeFile(join(home.folder, 'mcp_config.json'), JSON.stringify({ mcpServers: { vaulted } }));
  host = await openHost({ env: home.env, version: 'test' });
  served = await serveHome(host);
}, 60_000);

afterAll(async () => {
  await served?.close();
  await host?.close();
  await models?.close();
  await deployments?.close();
  backend?.close();
  collector?.close();
  await home?.remove();
  await rm(project, { recursive: true, force: true });
});

/** Has the model make these calls when it hears the words, and then say something. */
function script(contains: string, calls: readonly (readonly [string, object])[], text: string): void {
  const toolCalls = calls.map(([name, input]) => ({ name, arguments: JSON.stringify(input) }));
  models.script({
    rules: calls.length ? [{ when: { contains }, times: 1, reply: { toolCalls } }] : [],
    fallback: { text },
  });
}

async function talk(): Promise<string> {
  const conversation = await host.conversation({ cwd: project, language: 'en', platform: 'cli' });
  // What happens live is told to whoever sits there, as it is: it is their own words, and the call that really runs.
  const say = (text: string) => turn(conversation, text);
  script('begin', [], `The phrase is ${inAnswer}, use it.`);
  await say(
    `begin: the database password is ${password('a message')}, and ${ENV.VAULT_PHRASE} is the phrase`,
  );
  await say(`connect to postgres://app:${password('an address')}@db-1:5432/shop`);
  await say(`数据库密码是 ${password('a message in Chinese')},别外传`);
  await say(`the key:\n-----BEGIN PRIVATE KEY-----\n${PEM_BODY}\n-----END PRIVATE KEY-----\n`);
  await say(`in the environment: ${ENV.HARBOUR_TOKEN}`);
  await say(`remember the password for staging is ${password('a secret told in a sentence')}`);
  await say(`记住 staging 的密码是 ${password('a secret told in a Chinese sentence')}`);
  await say(`always use ${password('a preference')} as the password for staging`);
  script(
    'look at it',
    [
      ['tool_call', { name: 'mcp_vaulted_look', arguments: {} }],
      [
        'memory',
        {
          action: 'add',
          target: 'memory',
          content: `the api key for the weather service is ${drawn('a notebook').replace(/[-_]/g, 'b')}`,
        },
      ],
      ['read_file', { path: 'app.ini' }],
      ['terminal', { command: 'cat dump.txt' }],
      ['terminal', { command: `echo hello --password ${password('an argument')}` }],
      [
        'terminal',
        {
          command: `mysql -h db -u root -p${password('an argument that needs agreement')} -e 'drop table x'`,
        },
      ],
      [
        'memory',
        { action: 'add', target: 'memory', content: `the password is ${password('a note of the model')}` },
      ],
      [
        'skill_manage',
        {
          action: 'create',
          name: 'deploy-shop',
          content: `---\nname: deploy-shop\ndescription: Deploys.\n---\nexport TOKEN=${token('a skill')}\n`,
        },
      ],
      ['no_such_tool', { secret: token('an argument of no tool') }],
    ],
    `password=${password('an answer with an assignment')}`,
  );
  await say('look at it');
  return conversation.session.id;
}

async function incident(): Promise<string> {
  const now = Date.now();
  const [alert] = (
    alertmanagerPayload([
      {
        name: 'PaymentDown',
        service: 'payment',
        startsAt: now,
        labels: { instance: `https://ops:${password('a label')}@node-1/`, note: inLabel },
      },
    ]) as { alerts: { annotations: object; generatorURL: string }[] }
  ).alerts;
  const delivery = {
    ...alertmanagerPayload([]),
    status: 'firing',
    alerts: [
      {
        ...alert,
        annotations: {
          summary: 'payment is down',
          description: `login failed: password=${password('an annotation')}`,
          runbook: `https://x.example/?access_token=${token('an address of an alert')}`,
        },
        generatorURL: `http://prom:${password('the source of an alert')}@prometheus/graph`,
      },
    ],
  };
  const came = await ask('POST', '/gateway/alertmanager', delivery, {
    'x-deploy-token': token('a header of a webhook'),
  });
  expect(came.status).toBeLessThan(300);
  const opened = await ask('POST', '/api/incidents', {
    title: `checkout is slow, password: ${password('the title of an incident')}`,
    service: 'checkout',
    annotations: { description: `token=${token('the words of an incident')}` },
  });
  expect(opened.status, opened.text).toBeLessThan(300);
  const nanos = String(now * 1e6);
  const logged = await ask('POST', '/v1/logs', {
    resourceLogs: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'payment' } }] },
        scopeLogs: [
          {
            logRecords: [
              {
                timeUnixNano: nanos,
                severityNumber: 17,
                body: { stringValue: `ERROR DB_PASSWORD=${password('a line of a log')} ${inLogLine}` },
                attributes: [
                  { key: 'http.url', value: { stringValue: `http://u:${password('an attribute')}@x/` } },
                ],
              },
            ],
          },
        ],
      },
    ],
  });
  expect(logged.status, logged.text).toBe(200);
  const { incidents } = served;
  await expect
    .poll(async () => (await incidents.store.list({ limit: 9 })).filter(({ rca }) => rca).length, {
      timeout: 60_000,
    })
    .toBeGreaterThan(0);
  const [first] = await incidents.store.list({ limit: 9 });
  return first?.id ?? '';
}

async function elsewhere(session: string): Promise<void> {
  script('', [], 'Done.');
  await ask('POST', '/api/memory/entries', {
    kind: 'environment_fact',
    key: 'db',
    text: `the database password is ${password('a memory')} or ${inMemory}`,
  });
  await ask('GET', `/lost/${token('a path that leads nowhere')}`);
  await ask('GET', `/api/incidents?token=${token('a query')}`);
  await ask('POST', '/v1/chat/completions', {
    model: 'hermes',
    messages: [{ role: 'user', content: `api key: ${token('a message over the API')}` }],
  });
  const chat = JSON.parse((await ask('POST', '/api/chat', {})).text) as { session?: string; id?: string };
  const room = chat.session ?? chat.id ?? '';
  const leave = follow(`/api/chat/${room}/events`);
  const said = await ask('POST', `/api/chat/${room}/messages`, {
    text: `the token is ${token('a message in the console')}`,
  });
  expect(said.status, said.text).toBeLessThan(300);
  await ask('POST', `/api/chat/${room}/command`, { line: `/title pass ${token('a title')}` });
  await ask('GET', `/api/chat/${room}/items`);
  const told = JSON.parse(await exportSession(host, session, 'json')) as {
    session: { title?: string };
    messages: { message: { role: string; content: unknown } }[];
  };
  told.session.title = `about ${token('the title of an import')}`;
  const [user] = told.messages.filter(({ message }) => message.role === 'user');
  if (user) user.message.content = [{ type: 'text', text: `password=${password('an import')}` }];
  const taken = await importSession(host, JSON.stringify(told), 'told.json');
  keep('an export of an import', await exportSession(host, taken.id, 'json'));
  await expect.poll(() => models.requests.length, { timeout: 20_000 }).toBeGreaterThan(8);
  leave();
}

/** Every file of a folder; what a person wrote into it is theirs. */
async function filesOf(folder: string, recursive = true): Promise<void> {
  for (const entry of await readdir(folder, { recursive, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    if (['.env', 'mcp_config.json'].some((name) => path === join(home.folder, name))) continue;
    keep(`file ${path.slice(folder.length)}`, (await readFile(path)).toString('latin1'));
  }
}

const PAGES = [
  '/api/incidents',
  '/api/conversations',
  '/api/conversations/search?q=password',
  '/api/memory',
  '/api/memory/entries',
  '/api/memory/notebooks',
  '/api/memory/staged',
  '/api/memory/export',
  '/api/monitoring',
  '/api/monitoring/logs?q=ERROR',
  '/api/requests',
  '/api/approvals',
  '/api/settings',
  '/api/status',
  '/api/skills',
  '/api/skill-runs',
  '/api/learning',
  '/api/mcp',
  '/api/digests',
  '/api/people',
  '/metrics',
];

describe('secrets that were planted everywhere', () => {
  it('are found nowhere again', async () => {
    const leave = follow('/api/events');
    const session = await talk();
    const id = await incident();
    await elsewhere(session);
    for (const page of PAGES) await ask('GET', page);
    for (const { id: one } of await served.incidents.store.list({ limit: 9 })) {
      await ask('GET', `/api/incidents/${one}`);
      await ask('GET', `/api/incidents/${one}/report`);
    }
    await ask('GET', `/api/conversations/${session}`);
    await ask('GET', `/api/conversations/${session}/export`);
    keep('an export as Markdown', await exportSession(host, session, 'markdown'));
    await exportIncident(host, id, join(project, 'exported'), 'en');
    const { audit } = await host.gate();
    keep('the audit log', JSON.stringify(await audit.last(1_000)));
    expect(await audit.verify()).toMatchObject({ sound: true });
    leave();
    // The databases with what is written ahead of them; folders of incidents come and go while one is looked into.
    await filesOf(home.folder, false);
    await served.close();
    await host.close();
    await filesOf(home.folder);
    await filesOf(join(project, 'exported'));
    keep('what the models were sent', JSON.stringify(models.requests));
    keep('what was traced', traced.join('\n'));

    expect(planted.size).toBeGreaterThanOrEqual(28);
    expect(models.requests.length).toBeGreaterThan(8);
    expect(traced.length).toBeGreaterThan(0);
    expect(seen.filter(({ what }) => what.startsWith('file ')).length).toBeGreaterThan(10);
    const leaks = [...planted].flatMap(([place, secret]) => {
      const spelt = [secret, Buffer.from(secret).toString('base64').slice(0, -4)];
      const where = seen.filter(({ text }) => spelt.some((one) => text.includes(one)));
      return where.length ? [`${place}: ${[...new Set(where.map(({ what }) => what))].join(', ')}`] : [];
    });
    expect(leaks).toEqual([]);
    // And it was there: what stands in their place says so.
    const all = seen.map(({ text }) => text).join('\n');
    expect(all).toContain('MCP-ANSWERED');
    expect(all).toContain('CHANGED password=[secret:password]');
    expect(all).toContain('secrets are not kept');
    for (const mark of [
      'VAULT_PHRASE',
      'HARBOUR_TOKEN',
      'password',
      'github-token',
      'url-password',
      'private-key',
    ])
      expect(all).toContain(`[secret:${mark}]`);
  }, 180_000);
});
