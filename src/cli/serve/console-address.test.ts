import { expect, it } from 'vitest';
import { consoleAddress } from './console-address.ts';

const token = 'a-token-of-somebody';
const newCode = () => 'a-word-for-once';
const at = (url: string, terminal: boolean | undefined) => consoleAddress({ url, token, newCode }, terminal);

it('signs in a person at a terminal of this machine, and nobody else, and never with the token', () => {
  for (const url of [
    'http://127.0.0.1:8000',
    'http://127.8.8.8:1',
    'http://[::1]:8000',
    'http://localhost:8000',
  ])
    expect(at(url, true)).toEqual({ address: `${url}/login#token=a-word-for-once`, signsIn: true });
  for (const url of ['http://0.0.0.0:8000', 'http://10.0.0.4:8000', 'http://127.0.0.1.evil.example:80'])
    expect(at(url, true)).toEqual({ address: `${url}/`, signsIn: false });
  for (const terminal of [false, undefined])
    expect(at('http://127.0.0.1:8000', terminal)).toEqual({
      address: 'http://127.0.0.1:8000/',
      signsIn: false,
    });
  const open = consoleAddress({ url: 'http://127.0.0.1:8000', token: undefined, newCode }, true);
  expect(open).toEqual({ address: 'http://127.0.0.1:8000/', signsIn: false });
});
