import { afterEach, describe, expect, it, vi } from 'vitest';
import { Problem, problemOf } from './problem.ts';
import { pathOf, request, keepCsrf, withQuery } from './request.ts';

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

describe('request', () => {
  it('sends the token of the session with writes alone', async () => {
    const sent: [string, RequestInit][] = [];
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
      sent.push([url, init]);
      return Promise.resolve(Response.json({ ok: true }));
    });
    keepCsrf('token-1');
    await request('/api/incidents', { query: { limit: 5, text: '', service: undefined } });
    await request('/api/incidents', { method: 'POST', body: { title: 'x' } });
    expect(sent[0]?.[0]).toBe('/api/incidents?limit=5');
    expect(sent[0]?.[1].headers).not.toHaveProperty('x-csrf-token');
    expect(sent[1]?.[1].headers).toMatchObject({ 'x-csrf-token': 'token-1' });
  });

  it('tells that the server does not answer', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('failed')));
    const thrown: unknown = await request('/api/session').catch((each: unknown) => each);
    expect(thrown).toBeInstanceOf(Problem);
    expect(thrown).toMatchObject({ status: 0, passing: true });
  });
});

it('keeps an id inside its part of the path', () => {
  expect(pathOf`/api/incidents/${'../x?y=1'}/close`).toBe('/api/incidents/..%2Fx%3Fy%3D1/close');
  expect(withQuery('/a', { text: 'a&b=c' })).toBe('/a?text=a%26b%3Dc');
});
