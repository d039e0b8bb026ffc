import { describe, expect, it } from 'vitest';
import { allowedHosts, findChromium } from './find-chromium.ts';

const place = (programs: readonly string[], keys: Readonly<Record<string, string>> = {}) => ({
  key: (name: string) => keys[name],
  program: (name: string) => (programs.includes(name) ? `/usr/bin/${name}` : undefined),
});

describe('findChromium', () => {
  it.each([
    ['nothing', place([]), false, { what: 'there is no Chromium' }],
    ['a user', place(['chromium']), false, { program: '/usr/bin/chromium', unsandboxed: false }],
    ['another name', place(['google-chrome']), false, { program: '/usr/bin/google-chrome' }],
    ['a path of the user', place(['chromium'], { CHROMIUM_PATH: '/opt/c' }), false, { program: '/opt/c' }],
    ['root', place(['chromium', 'setpriv']), true, { setpriv: '/usr/bin/setpriv', unsandboxed: false }],
    [
      'root without setpriv',
      place(['chromium']),
      true,
      { what: expect.stringContaining('as root') as string },
    ],
    [
      'root, agreed to',
      place(['chromium'], { HERMES_BROWSER_UNSANDBOXED: '1' }),
      true,
      { unsandboxed: true },
    ],
    [
      'no sandbox, agreed to',
      place(['chromium'], { HERMES_BROWSER_UNSANDBOXED: '1' }),
      false,
      { unsandboxed: true },
    ],
    [
      'not agreed to',
      place(['chromium'], { HERMES_BROWSER_UNSANDBOXED: '0' }),
      false,
      { unsandboxed: false },
    ],
  ])('%s', (_, given, root, found) => {
    expect(findChromium(given, root)).toMatchObject(found);
  });

  it('reads the hosts that the user allows', () => {
    expect(allowedHosts(place([], { HERMES_BROWSER_ALLOW: ' Grafana:3000,, 127.0.0.1:80 ' }))).toEqual([
      'grafana:3000',
      '127.0.0.1:80',
    ]);
    expect(allowedHosts(place([]))).toEqual([]);
  });
});
