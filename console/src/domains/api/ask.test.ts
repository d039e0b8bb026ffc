import { afterEach, describe, expect, it, vi } from 'vitest';
import { addressOf, ask, keepCsrf } from './ask.ts';
import { Problem, problemOf } from './problem.ts';

afterEach(() => vi.unstubAllGlobals());

describe('problemOf', () => {
  it('takes what the server says', async () => {
    const body = { status: 409, detail: 'It has been decided.', code: 'input.conflict', hint: 'Look again.' };
    const problem = await problemOf(Response.json(body, { status: 409 }));
    expect(problem).toMatchObject({ status: 409, code: 'input.conflict', hint: 'Look again.' });
    expect(problem.message).toBe('It has been decided.');
    expect(problem.passing).toBe(false);
  });

  it('makes one of an answer that is none', async () => {
    const problem = await problemOf(
      new Response('<h1>Bad gateway</h1>', { status: 502, statusText: 'Bad Gateway' }),
    );
    expect(problem).toMatchObject({ status: 502, code: 'http.502', hint: undefined });
    expect(problem.message).toBe('Bad Gateway');
    expect(problem.passing).toBe(true);
  });
});

describe('ask', () => {
  it('sends the token of the session with writes alone', async () => {
    const sent: [string, RequestInit][] = [];
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
      sent.push([url, init]);
      return Promise.resolve(Response.json({ ok: true }));
    });
    keepCsrf('token-1');
    await ask('GET /api/incidents', { query: { limit: 5, text: '', service: undefined } });
    await ask('POST /api/incidents', { body: { title: 'x' } });
    expect(sent[0]?.[0]).toBe('/api/incidents?limit=5');
    expect(sent[0]?.[1].headers).not.toHaveProperty('x-csrf-token');
    expect(sent[1]?.[1].headers).toMatchObject({ 'x-csrf-token': 'token-1' });
  });

  it('tells that the server does not answer', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('failed')));
    const thrown: unknown = await ask('GET /api/incidents').catch((each: unknown) => each);
    expect(thrown).toBeInstanceOf(Problem);
    expect(thrown).toMatchObject({ status: 0, passing: true });
  });
});

it('keeps an id inside its part of the path', () => {
  const address = addressOf('GET /api/incidents/:id/report', {
    params: { id: '../x?y=1' },
    query: { format: 'md' },
  });
  expect(address).toBe('/api/incidents/..%2Fx%3Fy%3D1/report?format=md');
  expect(addressOf('GET /api/incidents', { query: { text: 'a&b=c' } })).toBe('/api/incidents?text=a%26b%3Dc');
});

it('takes and gives what the contract says, by its types', () => {
  // Never run: each line that has to be refused is refused by the compiler, and the test by it when one is not.
  const typed = async () => {
    const { incident } = await ask('GET /api/incidents/:id', { params: { id: 'inc_1' } });
    incident.severity satisfies 'P1' | 'P2' | 'P3' | 'P4';
    // @ts-expect-error -- the answer has no such field
    void incident.seriousness;
    // @ts-expect-error -- the path names an id
    await ask('GET /api/incidents/:id');
    // @ts-expect-error -- there is no such route
    await ask('GET /api/incident');
    // @ts-expect-error -- the body has another field
    await ask('POST /api/incidents/:id/close', { params: { id: 'inc_1' }, body: { because: 'x' } });
    // @ts-expect-error -- the query is not that
    await ask('GET /api/incidents', { query: { limit: 'many' } });
  };
  expect(typed).toBeTypeOf('function');
});
