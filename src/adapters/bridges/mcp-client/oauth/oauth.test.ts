import { describe, expect, it } from 'vitest';
import { guardedFetch } from './guarded-fetch.ts';
import { openLoopbackRedirect } from './loopback-redirect.ts';
import { oauthSignIn } from './sign-in.ts';

const reached = async () => new Response('reached');

describe('guardedFetch', () => {
  const headers = { Authorization: 'Bearer ours', 'X-Team': 'ops' };
  const sent: (readonly [string, string, RequestInit | undefined])[] = [];
  const via = (way: string) => async (input: string | URL, init?: RequestInit) => {
    sent.push([way, String(input), init]);
    return reached();
  };
  const get = (server: string, url: string, init?: RequestInit) =>
    guardedFetch(new URL(server), { own: via('own'), elsewhere: via('elsewhere'), headers })(url, init);
  const wayOf = async (...args: Parameters<typeof get>) => {
    await get(...args);
    return sent.at(-1)?.[0];
  };

  it('lets through what the user wrote and what is public behind TLS', async () => {
    await expect(get('http://tools.example/mcp', 'http://tools.example/other')).resolves.toBeInstanceOf(
      Response,
    );
    await expect(get('https://tools.example/mcp', 'https://login.example/token')).resolves.toBeInstanceOf(
      Response,
    );
    await expect(get('http://127.0.0.1:1/mcp', 'http://localhost:2/token')).resolves.toBeInstanceOf(Response);
  });

  it('sends to a checked address whatever is not the conversation with the server itself', async () => {
    const server = 'https://tools.example/mcp';
    expect(await wayOf(server, server, { method: 'POST' })).toBe('own');
    expect(await wayOf(server, `${server}/`, { headers: { accept: 'text/event-stream' } })).toBe('own');
    expect(await wayOf(server, 'https://tools.example/.well-known/oauth-protected-resource')).toBe(
      'elsewhere',
    );
    expect(await wayOf(server, 'https://login.example/token')).toBe('elsewhere');
    expect(sent.at(-1)?.[2]?.redirect).toBe('error');
  });

  it('reaches the host of a private server as it is, and no other one', async () => {
    expect(await wayOf('http://10.0.0.5:80/mcp', 'http://10.0.0.5:81/token')).toBe('own');
    expect(await wayOf('http://127.0.0.1:1/mcp', 'http://localhost:2/token')).toBe('own');
    expect(await wayOf('http://tools:8080/mcp', 'http://tools:8081/token')).toBe('own');
    expect(await wayOf('http://10.0.0.5/mcp', 'http://169.254.169.254/latest')).toBe('elsewhere');
    expect(await wayOf('http://10.0.0.5/mcp', 'https://login.example/')).toBe('elsewhere');
  });

  it('gives what is meant for the server to nobody else', async () => {
    await get('https://tools.example/mcp', 'https://login.example/', { headers });
    expect(sent.at(-1)?.[2]?.headers).toEqual({});
    await get('https://tools.example/mcp', 'https://login.example/', {
      headers: { ...headers, Authorization: 'Basic theirs' },
    });
    expect(sent.at(-1)?.[2]?.headers).toEqual({ authorization: 'Basic theirs' });
    await get('https://tools.example/mcp', 'https://tools.example/mcp', { headers });
    expect(sent.at(-1)?.[2]?.headers).toEqual(headers);
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
