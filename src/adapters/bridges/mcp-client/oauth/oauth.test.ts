import { describe, expect, it } from 'vitest';
import { guardedFetch } from './guarded-fetch.ts';
import { openLoopbackRedirect } from './loopback-redirect.ts';
import { oauthSignIn } from './sign-in.ts';

const reached = async () => new Response('reached');

describe('guardedFetch', () => {
  const get = (server: string, url: string) => guardedFetch(new URL(server), reached)(url);

  it('lets through what the user wrote and what is public behind TLS', async () => {
    await expect(get('http://tools.example/mcp', 'http://tools.example/other')).resolves.toBeInstanceOf(
      Response,
    );
    await expect(get('https://tools.example/mcp', 'https://login.example/token')).resolves.toBeInstanceOf(
      Response,
    );
    await expect(get('http://127.0.0.1:1/mcp', 'http://localhost:2/token')).resolves.toBeInstanceOf(Response);
  });

  it.each([
    'http://login.example/',
    'https://127.0.0.1/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://2130706433/',
    'https://metadata.google.internal/',
    'https://100.64.0.1/',
    'file:///etc/passwd',
  ])('keeps a public server from sending us to %s', async (url) => {
    await expect(get('https://tools.example/mcp', url)).rejects.toThrow('points to');
  });
});

describe('openLoopbackRedirect', () => {
  it('takes only the visit that brings the state', async () => {
    const redirect = await openLoopbackRedirect(0);
    const arrival = redirect.arrival('right', AbortSignal.timeout(5_000));
    expect(new URL(redirect.url).hostname).toBe('127.0.0.1');
    expect((await fetch(`${redirect.url}?state=wrong&code=bad`)).status).toBe(404);
    expect((await fetch(`${redirect.url}?state=right&code=bad`, { method: 'POST' })).status).toBe(404);
    const page = await fetch(`${redirect.url}?state=right&code=<b>good</b>`);
    expect(await page.text()).not.toContain('good');
    expect((await arrival).get('code')).toBe('<b>good</b>');
    await redirect.close();
  });

  it('takes the port it had before, and another one when that is taken', async () => {
    const first = await openLoopbackRedirect(0);
    const port = Number(new URL(first.url).port);
    const second = await openLoopbackRedirect(port);
    expect(second.url).not.toBe(first.url);
    await first.close();
    const third = await openLoopbackRedirect(port);
    expect(third.url).toBe(first.url);
    await Promise.all([second.close(), third.close()]);
  });

  it('does not wait for ever', async () => {
    const redirect = await openLoopbackRedirect(0);
    await expect(redirect.arrival('x', AbortSignal.timeout(10))).rejects.toThrow('in time');
    await redirect.close();
  });
});

describe('oauthSignIn', () => {
  const signInTo = (url: string, stored?: unknown) =>
    oauthSignIn({
      server: 'srv',
      url: new URL(url),
      auth: { type: 'oauth' },
      tokens: { read: async () => stored, write: async () => undefined },
      fetch: reached,
      openBrowser: undefined,
      signInMs: 1_000,
    });
  const stored = { url: 'https://a.example/mcp', tokens: { access_token: 'secret', token_type: 'Bearer' } };

  it('uses a token only for the address it was given for', async () => {
    expect(await signInTo('https://a.example/mcp', stored).token()).toBe('secret');
    expect(await signInTo('https://b.example/mcp', stored).token()).toBeUndefined();
  });

  it('says what to do where there is no browser', async () => {
    const response = new Response('', { status: 401 });
    const signIn = signInTo('https://a.example/mcp');
    const refused = signIn.onUnauthorized?.({
      response,
      serverUrl: new URL('https://a.example/mcp'),
      fetchFn: reached,
    });
    await expect(refused).rejects.toMatchObject({ record: { hint: 'Run: hermes mcp login srv' } });
  });
});
