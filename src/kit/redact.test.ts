import { describe, expect, it } from 'vitest';
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
    expect(redact('Authorization: Bearer abc.DEF~123+/456-==')).toBe('Authorization: Bearer [secret:authorization]');
    expect(redact('authorization: bearer   0123456789ab')).toBe('authorization: bearer   [secret:authorization]');
  });

  it('hides what a header or an address of a webhook carries', () => {
    expect(redact('Authorization: Basic dXNlcjpwYXNzd29yZA==')).toBe('Authorization: Basic [secret:authorization]');
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
    const start = performance.now();
    redact(text, ['some-known-secret']);
    expect(performance.now() - start).toBeLessThan(4_000);
  });

  it('still finds the key after a long run of what looks like the beginning of one', () => {
    const text = `${' '.repeat(100_000)}${'eyJ-'.repeat(10_000)} ${SECRETS.JWT}`;
    expect(redact(text).endsWith(' [secret:jwt]')).toBe(true);
  });
});
