import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Asked,
  OUTSIDE,
  PERSON,
  type Reply,
  SCRIPT,
  type SignedIn,
  tokenOf,
  type UnderAttack,
  underAttack,
} from './served.ts';

/**
 * Attempts at a served home, over real sockets. Held elsewhere, by the parts alone: flags of cookies, forged and stolen
 * sessions, guessing (src/server/sessions.test.ts); addresses to listen on, slow heads and bodies, sizes
 * (src/server/start-server.test.ts); more ways out of the folder of the console, former addresses
 * (src/server/console-pages.test.ts); webhooks and agreements (test/incidents/refused-*.test.ts); what is shown in a page
 * (console/e2e/hostile-text.test.ts).
 */
let place: UnderAttack;
let operator: SignedIn;
let approver: SignedIn;
beforeAll(async () => {
  place = await underAttack();
  [operator, approver] = [await place.signIn('operator'), await place.signIn('approver')];
}, 60_000);
afterAll(() => place.close());

const EVIL = 'http://evil.example';
const INCIDENT = JSON.stringify({ title: 'opened by an attempt', severity: 'P3' });
const open = (headers: NonNullable<Asked['headers']>, more: Asked = {}): [string, Asked] => [
  '/api/incidents',
  { method: 'POST', body: INCIDENT, ...more, headers },
];
const agree = (headers: NonNullable<Asked['headers']>): [string, Asked] => [
  '/api/approvals/apr_1/approve',
  { method: 'POST', body: '{}', headers },
];
const listen = (headers: NonNullable<Asked['headers']>): [string, Asked] => [
  '/api/events',
  { headers: { accept: 'text/event-stream', ...headers } },
];
const { cookie: _, ...none } = { cookie: '' };

type Attempt = readonly [
  what: string,
  asked: () => [string, Asked],
  status: number,
  line: string | undefined,
];

const DENIED = 'action.denied';
/** What is tried, how it is answered, and the kind of line that it leaves in the audit log. */
const ATTEMPTS: readonly Attempt[] = [
  ['no token', () => open(none), 401, DENIED],
  ['a wrong token', () => open({}, { token: 'a-token-that-nobody-has' }), 401, DENIED],
  ['a viewer who opens', () => open({}, { token: tokenOf('viewer') }), 403, DENIED],
  ['an operator who agrees', () => agree(operator), 403, 'approval.refused'],
  [
    'a token in the address',
    () => [`/api/incidents?token=${tokenOf('admin')}`, { method: 'POST', body: INCIDENT }],
    401,
    DENIED,
  ],
  ['a cookie alone', () => open({ cookie: operator.cookie }), 403, DENIED],
  [
    'a cookie with another header',
    () => open({ cookie: operator.cookie, 'x-csrf-token': 'x'.repeat(43) }),
    403,
    DENIED,
  ],
  [
    'the header of another session',
    () => open({ ...operator, 'x-csrf-token': approver['x-csrf-token'] }),
    403,
    DENIED,
  ],
  [
    'the header in the address',
    () => [
      `/api/incidents?x-csrf-token=${operator['x-csrf-token']}`,
      { method: 'POST', body: INCIDENT, headers: { cookie: operator.cookie } },
    ],
    403,
    DENIED,
  ],
  [
    'a form of another page',
    () => open({ cookie: operator.cookie, origin: EVIL, 'content-type': 'text/plain' }),
    403,
    DENIED,
  ],
  ['another origin with everything', () => open({ ...operator, origin: EVIL }), 403, DENIED],
  ['another origin with a token', () => open({ origin: EVIL }, { token: tokenOf('admin') }), 403, DENIED],
  [
    'an origin that begins like ours',
    () => open({ ...operator, origin: `http://127.0.0.1:${place.served.port}.evil.example` }),
    403,
    DENIED,
  ],
  [
    'an origin with our name before an @',
    () => open({ ...operator, origin: `http://127.0.0.1:${place.served.port}@evil.example` }),
    403,
    DENIED,
  ],
  ['a sandboxed page', () => agree({ ...approver, origin: 'null' }), 403, 'approval.refused'],
  [
    'another port of this machine',
    () => agree({ ...approver, origin: 'http://127.0.0.1:1' }),
    403,
    'approval.refused',
  ],
  [
    'another site, by fetch metadata',
    () => agree({ ...approver, 'sec-fetch-site': 'cross-site' }),
    403,
    'approval.refused',
  ],
  [
    'a neighbour, by fetch metadata',
    () => agree({ ...approver, 'sec-fetch-site': 'same-site' }),
    403,
    'approval.refused',
  ],
  [
    'a login that another page sends',
    () => [
      '/api/session',
      { method: 'POST', body: JSON.stringify({ token: tokenOf('admin') }), headers: { origin: EVIL } },
    ],
    403,
    undefined,
  ],
  [
    'a sign-out that another page sends',
    () => ['/api/session', { method: 'DELETE', headers: { ...operator, origin: EVIL } }],
    403,
    undefined,
  ],
  ['a name that was made to point here', () => open({ ...operator, host: 'evil.example' }), 421, undefined],
  [
    'the same, with its origin',
    () => open({ ...operator, host: 'evil.example', origin: 'http://evil.example' }),
    421,
    undefined,
  ],
  ['events, without a session', () => listen({}), 401, undefined],
  ['events, from another origin', () => listen({ cookie: operator.cookie, origin: EVIL }), 403, undefined],
  [
    'events, from a sandboxed page',
    () => listen({ cookie: operator.cookie, origin: 'null' }),
    403,
    undefined,
  ],
  [
    'events, from another site',
    () => listen({ cookie: operator.cookie, 'sec-fetch-site': 'cross-site' }),
    403,
    undefined,
  ],
  [
    'events, without saying so',
    () => ['/api/events', { headers: { cookie: operator.cookie, origin: EVIL, accept: '*/*' } }],
    403,
    undefined,
  ],
  [
    'events, under another name',
    () => listen({ cookie: operator.cookie, host: 'evil.example' }),
    421,
    undefined,
  ],
  [
    'a method of a header',
    () => ['/api/approvals/apr_1/approve', { headers: { ...operator, 'x-http-method-override': 'POST' } }],
    405,
    undefined,
  ],
  [
    'a method of a query',
    () => ['/api/incidents?_method=POST', { token: tokenOf('viewer') }],
    200,
    undefined,
  ],
  ['TRACE', () => ['/api/incidents', { method: 'TRACE', token: tokenOf('admin') }], 405, undefined],
  [
    'a preflight',
    () => [
      '/api/incidents',
      { method: 'OPTIONS', headers: { origin: EVIL, 'access-control-request-method': 'POST' } },
    ],
    204,
    undefined,
  ],
  ['HEAD without a token', () => ['/api/incidents', { method: 'HEAD' }], 401, undefined],
  [
    'HEAD of what is written to',
    () => ['/api/approvals/apr_1/approve', { method: 'HEAD', headers: operator }],
    405,
    undefined,
  ],
  [
    'a method that nobody knows',
    () => ['/api/incidents', { method: 'PROPFIND', token: tokenOf('admin') }],
    405,
    undefined,
  ],
  [
    'a body that is too large',
    () => open({}, { token: tokenOf('operator'), body: `{"title":"${'x'.repeat(1_100_000)}"}` }),
    413,
    DENIED,
  ],
];

const linesOf = async () =>
  (await (await place.host.gate()).audit.last(500)).filter(({ kind }) => /denied|refused/.test(kind));

describe('an attempt', () => {
  it.each(ATTEMPTS)('%s', async (_what, asked, status, line) => {
    const before = await linesOf();
    const [path, how] = asked();
    const reply = await place.ask(path, how);
    expect(reply.status, reply.text).toBe(status);
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    const added = (await linesOf()).slice(before.length);
    expect(added.map(({ kind }) => kind)).toEqual(line === undefined ? [] : [line]);
    if (added[0])
      expect(added[0].data).toMatchObject({ path: path.split('?')[0], status, address: '127.0.0.1' });
  });

  it('changed nothing, and leaves no secret behind', async () => {
    expect(await place.served.incidents.store.list({ limit: 10 })).toEqual([]);
    const { audit } = await place.host.gate();
    const text = JSON.stringify(await audit.last(500));
    expect(text).not.toMatch(/the-token-of|token-that-nobody|opened by an attempt/);
    for (const secret of [operator['x-csrf-token'], operator.cookie.split('=')[1] ?? '-'])
      expect(text).not.toContain(secret);
    expect((await audit.verify()).sound).toBe(true);
  });

  it('is told from what people do: the same, done right, works', async () => {
    const origin = `http://127.0.0.1:${place.served.port}`;
    const [path, asked] = open({ ...operator, origin, 'sec-fetch-site': 'same-origin' });
    expect((await place.ask(path, asked)).status).toBe(201);
    expect((await place.ask(...agree({ ...approver, origin }))).status).toBe(404);
    expect((await place.ask(...listen({ cookie: operator.cookie, origin }))).status).toBe(200);
  });
});

describe('the files of the console', () => {
  const encodings = (path: string): readonly string[] => [
    path,
    path.replaceAll('.', '%2e'),
    path.replaceAll('/', '%2f').replace('%2f', '/'),
    path.replaceAll('.', '%252e'),
    path.replaceAll('/', '\\').replace('\\', '/'),
    path.replaceAll('/', '%5c').replace('%5c', '/'),
    `${path}%00.js`,
    path.replaceAll('../', '..;/'),
    path.replaceAll('..', '%c0%ae%c0%ae'),
    `/.${path}`,
  ];
  const WAYS = [
    '/../beside.txt',
    '/assets/../../beside.txt',
    '/../../../../../etc/passwd',
    '//etc/passwd',
    '/link.txt',
    '/linked/beside.txt',
  ];

  it.each(WAYS.flatMap(encodings))('are all that is given by %s', async (path) => {
    for (const headers of [{}, PERSON]) {
      const { status, text } = await place.ask(path, { headers });
      // A person who goes to a name that can be a page gets the console itself, and never a file.
      expect(text).not.toMatch(new RegExp(`${OUTSIDE}|root:`));
      expect([200, 400, 404]).toContain(status);
      if (status === 200) expect(text).toContain('<title>console</title>');
    }
  });

  it('are not reached by an absolute address, nor by an option of the path', async () => {
    for (const target of [
      `http://127.0.0.1:${place.served.port}/../beside.txt`,
      'file:///etc/passwd',
      '/assets/main-Abc12345.js/../../beside.txt',
      '/assets/main-Abc12345.js%23/../../beside.txt',
    ]) {
      const heard = await place.speak(
        `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${place.served.port}\r\nConnection: close\r\n\r\n`,
      );
      expect(heard).toMatch(/^HTTP\/1\.1 4\d\d/);
      expect(heard).not.toMatch(new RegExp(`${OUTSIDE}|root:`));
    }
  });
});

describe('every kind of answer', () => {
  const kinds = (): readonly (readonly [string, string, Asked, number, RegExp])[] => [
    ['an answer', '/api/incidents', { token: tokenOf('viewer') }, 200, /^no-store$/],
    ['a refusal', '/api/incidents', {}, 401, /^no-store$/],
    ['nothing', '/api/none', {}, 404, /^no-store$/],
    ['another method', '/api/incidents', { method: 'PUT' }, 405, /^no-store$/],
    ['a preflight', '/api/incidents', { method: 'OPTIONS' }, 204, /^no-store$/],
    ['another name', '/', { headers: { host: 'evil.example' } }, 421, /^no-store$/],
    ['a bad path', '/api/incidents/%2e%2e', { token: tokenOf('viewer') }, 400, /^no-store$/],
    ['a stream', '/api/events', { token: tokenOf('viewer') }, 200, /^no-store/],
    ['a refusal of the other API', '/v1/models', {}, 401, /^no-store$/],
    ['numbers', '/metrics', { token: tokenOf('viewer') }, 200, /^no-store$/],
    ['health', '/healthz', {}, 200, /^no-store$/],
    ['a former address', '/web/incidents.html', {}, 302, /^no-store$/],
    ['a page', '/incidents', { headers: PERSON }, 200, /^no-store$/],
    ['a script', '/assets/main-Abc12345.js', {}, 200, /immutable/],
  ];

  it('says that it is no page of others, no other type, and for no cache', async () => {
    for (const [kind, path, asked, status, cache] of kinds()) {
      const reply: Reply = await place.ask(path, asked);
      expect([kind, reply.status]).toEqual([kind, status]);
      expect([kind, reply.headers]).toEqual([
        kind,
        expect.objectContaining({
          'cache-control': expect.stringMatching(cache) as unknown,
          'x-content-type-options': 'nosniff',
          'x-frame-options': 'DENY',
          'referrer-policy': 'no-referrer',
          'content-security-policy': expect.stringMatching(
            /^default-src '(?:none|self)';.*frame-ancestors 'none'/,
          ) as unknown,
          'cross-origin-resource-policy': 'same-origin',
        }),
      ]);
      expect([kind, reply.headers['content-security-policy']]).toEqual([
        kind,
        expect.not.stringMatching(/unsafe-eval|script-src[^;]*unsafe-inline|\*/) as unknown,
      ]);
      expect([kind, reply.headers['server'], reply.headers['x-powered-by']]).toEqual([
        kind,
        undefined,
        undefined,
      ]);
    }
    expect((await place.ask('/assets/main-Abc12345.js')).text).toBe(SCRIPT);
  });

  it('leads nowhere else', async () => {
    for (const path of [
      '/web//evil.example',
      '//evil.example/web/index.html',
      '/web/index.html?next=http://evil.example',
      '/web/incident.html?id=//evil.example',
      '/web/incident.html?id=%0d%0alocation:%20http://evil.example',
      '/web/incident.html?id=\\\\evil.example',
    ]) {
      const { status, headers } = await place.ask(path, { headers: PERSON });
      const { location } = headers;
      if (status < 300 || status > 399) expect([path, location]).toEqual([path, undefined]);
      else expect(new URL(location ?? '', place.served.url).origin).toBe(new URL(place.served.url).origin);
    }
  });
});
