import { describe, expect, it } from 'vitest';
import { checkUrl, exceptionSet } from './check-url.ts';

/** Each with a word of the reason that it is refused for. */
const REFUSED: readonly (readonly [url: string, reason: string])[] = [
  ['http://127.0.0.1/', 'loopback'],
  ['http://127.8.8.8:8080/', 'loopback'],
  ['http://127.1/', 'another way to write'],
  ['http://127.0.1/', 'another way to write'],
  ['http://2130706433/', 'another way to write'],
  ['http://0x7f000001/', 'another way to write'],
  ['http://0x7f.0.0.1/', 'another way to write'],
  ['http://0177.0.0.1/', 'another way to write'],
  ['http://017700000001/', 'another way to write'],
  ['http://00000177.0.0.1/', 'another way to write'],
  ['http://127.0.0.1./', 'another way to write'],
  ['http://①②⑦.0.0.1/', 'another way to write'],
  ['http://127。0。0。1/', 'another way to write'],
  ['http://１２７.0.0.1/', 'another way to write'],
  ['http://%31%32%37.0.0.1/', 'another way to write'],
  ['http://134744072/', 'another way to write 8.8.8.8'],
  ['http://0/', 'another way to write'],
  ['http://0.0.0.0/', 'this host'],
  ['http://10.0.0.1/', 'private network'],
  ['http://10.255.255.255/', 'private network'],
  ['http://172.16.0.1/', 'private network'],
  ['http://172.31.255.255/', 'private network'],
  ['http://192.168.0.1/', 'private network'],
  ['http://100.64.0.1/', 'carrier-grade'],
  ['http://169.254.0.1/', 'link-local'],
  ['http://169.254.169.254/latest/meta-data/', 'metadata'],
  ['http://169.254.170.2/v2/credentials', 'metadata'],
  ['http://100.100.100.200/latest/', 'metadata'],
  ['http://168.63.129.16/', 'metadata'],
  ['http://192.0.0.192/', 'metadata'],
  ['http://224.0.0.1/', 'multicast'],
  ['http://255.255.255.255/', 'reserved'],
  ['http://198.18.0.1/', 'benchmarks'],
  ['http://203.0.113.5/', 'documentation'],
  ['http://[::1]/', 'loopback'],
  ['http://[::]/', 'this host'],
  ['http://[0:0:0:0:0:0:0:1]/', 'loopback'],
  ['http://[::ffff:127.0.0.1]/', 'notation of IPv6'],
  ['http://[::ffff:8.8.8.8]/', 'notation of IPv6'],
  ['http://[::ffff:7f00:1]/', 'notation of IPv6'],
  ['http://[::127.0.0.1]/', 'IPv4-compatible'],
  ['http://[64:ff9b::a9fe:a9fe]/', 'notation of IPv6'],
  ['http://[64:ff9b::8.8.8.8]/', 'notation of IPv6'],
  ['http://[64:ff9b:1::1]/', 'notation of IPv6'],
  ['http://[2002:7f00:1::]/', '6to4'],
  ['http://[2001:0:4136:e378::1]/', 'Teredo'],
  ['http://[fc00::1]/', 'private network'],
  ['http://[fd12:3456::1]/', 'private network'],
  ['http://[fd00:ec2::254]/', 'metadata'],
  ['http://[fe80::1]/', 'link-local'],
  ['http://[ff02::1]/', 'multicast'],
  ['http://localhost/', 'local network'],
  ['http://LOCALHOST:3000/', 'local network'],
  ['http://a.localhost/', 'local network'],
  ['http://printer.local/', 'local network'],
  ['http://metadata.google.internal/', 'local network'],
  ['http://router.lan/', 'local network'],
  ['http://kubernetes/', 'without a domain'],
  ['http://localhost./', 'ends with a dot'],
  ['http://example.com./', 'ends with a dot'],
  ['http://user@example.com/', 'user name'],
  ['http://user:pw@example.com/', 'user name'],
  ['http://example.com@127.0.0.1/', 'user name'],
  ['http://@example.com/', 'user name'],
  ['http://example.com:80@10.0.0.1/', 'user name'],
  ['http://example.com\\@127.0.0.1/', 'backslashes'],
  ['http:\\\\example.com', 'backslashes'],
  ['http://exam\tple.com/', 'control characters'],
  ['http://example.com/\0', 'control characters'],
  ['http://example.com/a\r\nHost: evil', 'control characters'],
  ['http://exam\u200bple.com/', 'control characters'],
  ['http://example.com/\u202egpj.exe', 'control characters'],
  [' http://example.com/', 'control characters'],
  ['file:///etc/passwd', 'only http'],
  ['ftp://example.com/', 'only http'],
  ['gopher://example.com:70/', 'only http'],
  ['data:text/html,hi', 'only http'],
  ['javascript:alert(1)', 'only http'],
  ['ws://example.com/', 'only http'],
  ['//example.com/', 'not a URL'],
  ['example.com', 'not a URL'],
  ['http://', 'not a URL'],
  ['http://[::1', 'not a URL'],
  ['http://example.com:99999/', 'not a URL'],
  ['http://example.com:22/', 'port 22'],
  ['http://example.com:25/', 'port 25'],
  ['http://example.com:6379/', 'port 6379'],
  ['http://example.com:10250/', 'port 10250'],
  ['http://example.com:0/', 'port 0'],
];

const PASSED = [
  'http://example.com/',
  'https://example.com:8443/a?b=c#d',
  'https://EXAMPLE.com/',
  'https://münchen.example/ä',
  'http://8.8.8.8/',
  'http://172.32.0.1/',
  'http://100.128.0.1/',
  'https://[2606:4700:4700::1111]/',
  'http://notlocalhost.com/',
  'http://1.2.3.4.example.com/',
];

describe('checkUrl', () => {
  it.each(REFUSED)('refuses %j', (url, reason) => {
    expect(() => checkUrl(url, new Set())).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(reason) as string,
        record: expect.objectContaining({ code: 'tool.refused' }) as object,
      }) as Error,
    );
  });

  it.each(PASSED)('lets %j pass', (url) => {
    expect(checkUrl(url, new Set())).toMatchObject({ excepted: false });
  });

  it('shows neither passwords nor queries in what it says', () => {
    expect(() => checkUrl('http://me:hunter2@example.com/?token=abc', new Set())).toThrow(
      'http://…@example.com/?… may not be fetched',
    );
  });
});

describe('exceptionSet', () => {
  const exceptions = exceptionSet([
    'Home.local:8123',
    '10.0.0.5:80',
    '[::1]:9000',
    'https://ci.corp',
    '169.254.169.254:80',
  ]);

  it.each(['http://home.local:8123/api', 'http://10.0.0.5/', 'http://[::1]:9000/', 'https://ci.corp/x'])(
    'lets %s pass',
    (url) => {
      expect(checkUrl(url, exceptions)).toMatchObject({ excepted: true });
    },
  );

  it.each([
    'http://home.local/',
    'https://home.local/',
    'http://10.0.0.5:8080/',
    'http://10.0.0.6/',
    'http://a.home.local:8123/',
    'http://ci.corp/',
    'http://10.5/',
    'http://u@10.0.0.5/',
    'http://169.254.169.254/',
  ])('does not let %s pass with them', (url) => {
    expect(() => checkUrl(url, exceptions)).toThrow('may not be fetched');
  });

  it('refuses an entry that is no host', () => {
    expect(() => exceptionSet(['http://'])).toThrow('not a host:port');
  });
});
