import { describe, expect, it } from 'vitest';
import { cpuMs } from '#testkit/cpu-time';
import { redact } from './redact.ts';

/** Made up here, in the shape of each vendor; joined, so that no scanner takes them for real ones. */
const SECRETS: Readonly<Record<string, string>> = {
  OpenAI: `sk-${'proj'}-abcDEF0123456789abcDEF`,
  Anthropic: `sk-${'ant'}-api03-abc_DEF-0123456789`,
  GitHub: `ghp_${'a1B2c3D4e5F6g7H8i9J0'}`,
  'GitHub, fine-grained': `github_pat_${'11ABCDEFG0abcdefghij_klmn'}`,
  Slack: `xoxb-${'123456789012-abcdefABCDEF'}`,
  AWS: `AKIA${'ABCDEFGHIJ234567'}`,
  'AWS, temporary': `ASIA${'ABCDEFGHIJ234567'}`,
  Google: `AIza${'SyA-0123456789abcdefghijklmnopqrs_t'}`,
  Groq: `gsk_${'abcdefGHIJKL0123456789'}`,
  NVIDIA: `nvapi-${'abc-DEF_0123456789ghij'}`,
  'Hugging Face': `hf_${'abcdefGHIJKLmnopqrstuvwx'}`,
  xAI: `xai-${'abcdefGHIJKL0123456789'}`,
  Together: `tgp_v1_${'abcdefGHIJKL0123456789'}`,
  Fireworks: `fw_${'abcdefGHIJKL0123456789'}`,
  Stripe: `sk_live_${'51HabcdefGHIJKLMNOPq'}`,
  GitLab: `glpat-${'abcDEF1234567890abcd'}`,
  npm: `npm_${'abcdefghijklmnopqrstuvwxyz0123456789'}`,
  Vault: `hvs.${'CAESIJabcdefghijklmnop1234567890'}`,
  SendGrid: `SG.${'abcdefghijklmnopqrstuv'}.abcdefghijklmnopqrstuvwxyz0123456789`,
  Telegram: `123456789:AA${'HdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1'}`,
  JWT: `eyJ${'hbGciOiJIUzI1NiJ9'}.eyJ${'zdWIiOiIxMjM0In0'}.dBjftJeZ4CVP-mB92K27`,
};

describe('redact', () => {
  it.each(Object.entries(SECRETS))('hides a key of %s wherever it stands', (_, secret) => {
    const mark = redact(secret);
    expect(mark).toMatch(/^\[secret:[a-z-]+\]$/);
    expect(redact(`Incorrect API key provided: ${secret}.`)).toBe(`Incorrect API key provided: ${mark}.`);
    expect(redact(`{"key":"${secret}","n":1}`)).toBe(`{"key":"${mark}","n":1}`);
    expect(redact(`https://x.example/?key=${secret}&a=1`)).toBe(`https://x.example/?key=${mark}&a=1`);
  });

  it('hides a bearer token of any shape and keeps the word before it', () => {
    expect(redact('Authorization: Bearer abc.DEF~123+/456-==')).toBe(
      'Authorization: Bearer [secret:authorization]',
    );
    expect(redact('authorization: bearer   0123456789ab')).toBe(
      'authorization: bearer   [secret:authorization]',
    );
  });

  it('hides what a header or an address of a webhook carries', () => {
    expect(redact('Authorization: Basic dXNlcjpwYXNzd29yZA==')).toBe(
      'Authorization: Basic [secret:authorization]',
    );
    expect(redact('basic authentication is on')).toBe('basic authentication is on');
    expect(redact(`https://hooks.slack.com/services/T0000/B0000/${'abcdefghijklmnop'}`)).toBe(
      'https://hooks.slack.com/services/[secret:webhook]',
    );
  });

  it('hides every literal it is told of, whatever it looks like', () => {
    expect(redact('key hunter2$& is bad: hunter2$&', ['hunter2$&'])).toBe(
      'key [secret:known] is bad: [secret:known]',
    );
    expect(redact('a (.*) b', ['(.*)xy'])).toBe('a (.*) b');
  });

  it('leaves nothing of a key that begins like another one', () => {
    expect(redact('team-key-1-extra', ['team-key-1', 'team-key-1-extra'])).toBe('[secret:known]');
  });

  it('does not treat very short literals as secrets', () => {
    expect(redact('the cat sat', ['cat', ''])).toBe('the cat sat');
  });

  it.each([
    'The task-scheduler-of-the-cluster asked disk-usage-monitor-01 at 10:42.',
    'Bearer of bad news: the bearer is down.',
    'commit 9fceb02d0ae598e95dc970b74767f19372d61af8 touched eyJar.config.settings',
    'fw-edge-frankfurt-2-primary and hf-inference-gateway-prod answer 503',
    'xai-inference-proxy-eu-west-1 restarted',
    'request id req_011CSHoEeqs5C35K2UUqR7Fy, model us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    '连接池耗尽:payment-service 在 03:12 之后拒绝连接。',
    'https://example.com/a/b?c=d#e uuid 123e4567-e89b-12d3-a456-426614174000',
  ])('leaves ordinary text alone: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it.each([
    ['words', 'the pool of payment-service is exhausted '],
    ['spaces', ' '],
    ['one letter', 'a'],
    ['bearer and spaces', 'bearer \t'],
    ['beginnings of keys', 'sk-'],
    ['beginnings of tokens', 'eyJ-'],
    ['tokens with one dot', 'eyJaaaaaaaa.'],
    ['tokens that are too short', 'eyJaaaaaaaaaa.b '],
    ['AWS letters', 'AKIA'],
    ['Google letters', 'AIza-'],
  ])('takes a megabyte of %s in its stride', (_, unit) => {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
    const start = cpuMs();
    redact(text, ['some-known-secret']);
    expect(cpuMs() - start).toBeLessThan(4_000);
  });

  it('still finds the key after a long run of what looks like the beginning of one', () => {
    const text = `${' '.repeat(100_000)}${'eyJ-'.repeat(10_000)} ${SECRETS.JWT}`;
    expect(redact(text).endsWith(' [secret:jwt]')).toBe(true);
  });
});

/** Rows of the shapes that texts of operations have. */
const HIDDEN: readonly (readonly [text: string, secret: string])[] = [
  ['PGPASSWORD=hunter2secret psql -h db', 'hunter2secret'],
  ['spring.datasource.password=Wx9!kk_77', 'Wx9!kk_77'],
  ['{"db":{"user":"app","password":"pa\\"ss w0rd"}}', 'w0rd'],
  ['{"args":"{\\"password\\":\\"Kestrel99x\\"}"}', 'Kestrel99x'],
  ["password: 'correct horse battery staple'", 'correct horse'],
  ['my password is S3cr3t!x, do not tell', 'S3cr3t!x'],
  ['数据库密码:Abc12345。', 'Abc12345'],
  ['口令改成了 no,新密码为Qwer!2026吧', 'Qwer!2026'],
  ['- name: DB_PASSWORD\n  value: hunter2', 'hunter2'],
  ['[{"name":"API_TOKEN","value":"abcd1234efgh"}]', 'abcd1234efgh'],
  ['<password>Hunter22x</password>', 'Hunter22x'],
  ['setPassword("Hunter22x")', 'Hunter22x'],
  ['Server=db;User Id=sa;Password=Pa$$w0rd,9;Encrypt=true', 'Pa$$w0rd,9'],
  ["ALTER USER app IDENTIFIED BY 'Zebra_77';", 'Zebra_77'],
  ['redis-cli -h c -a Zebra_77x ping', 'Zebra_77x'],
  ['Cookie: sid=8f7a6b5c4d3e; theme=dark', '8f7a6b5c4d3e'],
  ['X-Api-Key: 0123456789abcdef0123', '0123456789abcdef0123'],
  ['https://oapi.dingtalk.com/robot/send?access_token=0a1b2c3d4e5f60718293', '0a1b2c3d4e5f60718293'],
  ['secret half: kQ3v9ZpL0xWm7TtYbR2nJ5sD8fGhC1uE4iOaKqVz', 'kQ3v9ZpL0xWm7TtYbR2nJ5sD8fGhC1uE4iOaKqVz'],
  [
    '["-----BEGIN EC PRIVATE KEY-----","MHcCAQEEIBkg4LVWM9nuwNSk3yByxZpY","-----END EC PRIVATE KEY-----"]',
    'MHcCAQEEIBkg4LVWM9nuwNSk3yByxZpY',
  ],
  ['-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEF', 'MIIEvQIBADANBgkqhkiG9w0BAQEF'],
];
const SHOWN: readonly string[] = [
  'password: required',
  'Error: wrong password: access denied for app',
  'The password must have 12 characters; passwords expire after 90 days.',
  'password=${DB_PASSWORD} and token: $TOKEN and secret: <your-secret>',
  'const password = readPassword(file); token = request.headers.token',
  'secretKeyRef: payment-db-credentials, imagePullSecrets: regcred',
  'max_tokens: 4096, total_tokens=12345, tokenizer: cl100k_base',
  'primary key: order_id, foreign_key=customer_id, cache_key=orders:42',
  'the token bucket has 500 tokens, key rate limit 20/s',
  'passed: 12, failed: 0, bypass=true, compass: north',
  'sha256:dcd1f9f86181280a495cb327b4d82cf8e9ebc009889693d2f93db9f659df0564',
  'commit 9fceb02d0ae598e95dc970b74767f19372d61af8 run_mg1x2k3l8c1v0a9z4q7w',
  '密码错误,请重置密码;令牌已过期',
  'author: Ann, authentication failed for user ann, authority: eu-west-1',
  'pod payment-service-7d9f8c6b54-x2lqp on ip-10-0-3-17.ec2.internal',
];

describe('the grammar', () => {
  it.each(HIDDEN)('hides the secret in %j', (text, secret) => {
    expect(redact(text)).not.toContain(secret);
    expect(redact(text)).toMatch(/\[secret:[a-z-]+\]/);
  });

  it.each(SHOWN)('shows %j as it is', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('changes nothing of what has passed before, and keeps JSON readable', () => {
    const known = [{ name: 'VAULT', value: 'a "quoted" one' }];
    const pieces = [
      ...HIDDEN.map(([text]) => text),
      ...SHOWN,
      'a "quoted" one',
      '\\',
      '"',
      '\n',
      '[secret:x]',
      '密码',
    ];
    let seed = 7;
    const next = (most: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % most;
    };
    for (let round = 0; round < 3_000; round++) {
      const text = Array.from({ length: 1 + next(4) }, () => {
        const piece = pieces[next(pieces.length)] ?? '';
        return next(3) ? piece : piece.slice(next(piece.length), next(piece.length + 1) + 1);
      }).join(['', ' ', '\n', ', '][next(4)]);
      const once = redact(text, known);
      expect(redact(once, known), text).toBe(once);
      const json = redact(JSON.stringify({ text, deep: JSON.stringify({ text }) }), known);
      expect(() => JSON.parse(json) as unknown, json).not.toThrow();
      expect(redact(json, known), json).toBe(json);
    }
  });

  it.each([
    'password',
    'password=',
    'token: ',
    'secret_',
    '[secret:',
    '密码',
    '://a:',
    'mysql -p ',
    'cookie: a=',
    '-----BEGIN PRIVATE KEY-----',
    "password='",
    'name: DB_PASSWORD\n',
  ])(
    'takes time in proportion to the text: %j',
    (unit) => {
      const time = (chars: number) => {
        const text = unit.repeat(Math.ceil(chars / unit.length));
        const start = cpuMs();
        redact(text);
        return cpuMs() - start;
      };
      time(20_000);
      expect(time(800_000)).toBeLessThan(Math.max(2_000, 40 * time(100_000)));
    },
    60_000,
  );
});

describe('a secret that is known', () => {
  it('is called by its name, however it is spelt', () => {
    const known = [{ name: 'DB_PASSWORD', value: 'p@ss "w" 77' }];
    const mark = '[secret:DB_PASSWORD]';
    expect(redact('it is p@ss "w" 77!', known)).toBe(`it is ${mark}!`);
    expect(redact(JSON.stringify({ a: 'p@ss "w" 77' }), known)).toBe(`{"a":"${mark}"}`);
    expect(redact(`https://x/?q=${encodeURIComponent('p@ss "w" 77')}`, known)).toBe(`https://x/?q=${mark}`);
    expect(redact(Buffer.from('p@ss "w" 77').toString('base64'), known)).toContain(mark);
    expect(redact('password=p@ss "w" 77', known)).toBe(`password=${mark}`);
  });
});
