import { say } from '#kit/text';
import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { codeOf, testPlace, testRequest } from '#testkit/alert-request';
import { alertSource } from './feishu.ts';

const KEYS = { FEISHU_ENCRYPT_KEY: 'an encrypt key', FEISHU_VERIFICATION_TOKEN: 'a verification token' };
const NOW = 1_785_578_400_000;
let events = 0;

function encrypt(plain: string, key = KEYS.FEISHU_ENCRYPT_KEY): string {
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-256-cbc', createHash('sha256').update(key).digest(), iv);
  return Buffer.concat([iv, cipher.update(plain, 'utf8'), cipher.final()]).toString('base64');
}
const envelope = (payload: object | string) =>
  JSON.stringify({ encrypt: encrypt(typeof payload === 'string' ? payload : JSON.stringify(payload)) });
function signed(body: string, { at = NOW, key = KEYS.FEISHU_ENCRYPT_KEY } = {}): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  const text = `${timestamp}nonce-1${key}${body}`;
  return {
    'x-lark-request-timestamp': timestamp,
    'x-lark-request-nonce': 'nonce-1',
    'x-lark-signature': createHash('sha256').update(text).digest('hex'),
  };
}
const event = (type: string, body: object, header: object = {}) => ({
  schema: '2.0',
  header: {
    event_id: `event-${++events}`,
    event_type: type,
    token: KEYS.FEISHU_VERIFICATION_TOKEN,
    create_time: '1785578400000',
    ...header,
  },
  event: body,
});
const message = (text: string, more: object = {}) =>
  event('im.message.receive_v1', {
    sender: { sender_id: { open_id: 'ou_operator', user_id: 'u' }, sender_type: 'user' },
    message: {
      message_id: 'om_1',
      chat_id: 'oc_1',
      chat_type: 'group',
      message_type: 'text',
      content: JSON.stringify({ text }),
      mentions: [{ key: '@_user_1', name: 'Runbook Hermes' }],
      ...more,
    },
  });
const card = (value: unknown, form: object | null = null) =>
  event('card.action.trigger', {
    operator: { open_id: 'ou_approver', user_id: 'u' },
    token: 'c-1',
    action: { tag: 'button', value, form_value: form },
    context: { open_message_id: 'om_1', open_chat_id: 'oc_1' },
  });
const receive = (body: string, headers: Record<string, string>, keys: Record<string, string> = KEYS) =>
  alertSource.receive(
    testRequest({ body, headers }),
    testPlace(keys, undefined, () => NOW),
  );
const send = (payload: object | string) => {
  const body = envelope(payload);
  return receive(body, signed(body));
};

describe('feishu', () => {
  it('agrees with what the platform computes', async () => {
    // Made with `openssl enc -aes-256-cbc`: the key is the SHA-256 of "test key", the IV sixteen times 07.
    const encrypted =
      'BwcHBwcHBwcHBwcHBwcHB91R8dV9w+Lh3lxcBLfE/ArQNZArdXkXqVZfuuVuAYBLocPbao/qaOl0DmzyiaUG9aHF1k2QinKFYyya8RD+Mho=';
    const body = JSON.stringify({ encrypt: encrypted });
    const keys = { FEISHU_ENCRYPT_KEY: 'test key', FEISHU_VERIFICATION_TOKEN: 't' };
    expect(await receive(body, signed(body, { key: 'test key' }), keys)).toEqual({
      kind: 'answer',
      answer: { status: 200, body: { challenge: 'c' } },
    });
  });

  it('answers the check of the address, which is encrypted and not signed', async () => {
    const challenge = { type: 'url_verification', challenge: 'abc', token: KEYS.FEISHU_VERIFICATION_TOKEN };
    expect(await receive(envelope(challenge), {})).toMatchObject({ answer: { body: { challenge: 'abc' } } });
    const forged = envelope({ ...challenge, token: 'guessed' });
    expect(await codeOf(receive(forged, {}))).toBe('input.unauthorized');
    expect(await codeOf(receive(JSON.stringify(challenge), {}))).toBe('input.unauthorized');
  });

  it('gives what a person says', async () =>
    expect(await send(message('@_user_1 payment-service 503 飙升'))).toMatchObject({
      kind: 'message',
      text: '@Runbook_Hermes payment-service 503 飙升',
      user: 'ou_operator',
    }));

  it('takes words about an approval as such', async () =>
    expect(await send(message('@_user_1 批准 approval_x CONFIRM_EXECUTE。先 dry-run。'))).toMatchObject({
      kind: 'approval',
      word: { approval: 'approval_x', granted: true, confirmation: 'CONFIRM_EXECUTE', user: 'ou_operator' },
    }));

  it('takes the user of a card from what is signed, never from its value', async () => {
    expect(await send(card({ approval: 'k3m9x2pq', decision: 'approve', user: 'ou_boss' }))).toMatchObject({
      kind: 'approval',
      word: { approval: 'k3m9x2pq', granted: true, user: 'ou_approver' },
    });
    expect(
      await send(card('{"approval":"k3m9x2pq","decision":"approve"}', { confirmation: ' CONFIRM_EXECUTE ' })),
    ).toMatchObject({ word: { confirmation: 'CONFIRM_EXECUTE' } });
    expect(await send(card({ approval: 'k3m9x2pq', decision: 'reject' }))).toMatchObject({
      word: { granted: false },
    });
  });

  it('keeps pictures and formatted posts as messages: somebody sent them', async () => {
    expect(await send(message('x', { message_type: 'image', content: '{}' }))).toMatchObject({
      kind: 'message',
      text: '[image]',
    });
    const post = JSON.stringify({ title: 'payment', content: [[{ tag: 'text', text: '503 again' }]] });
    expect(await send(message('x', { message_type: 'post', content: post }))).toMatchObject({
      kind: 'message',
      text: '[post] payment 503 again',
    });
  });

  it('only answers what other apps say, and events that nobody asked for', async () => {
    const answer = { kind: 'answer', answer: { status: 200, body: {} } };
    expect(await send(event('im.chat.updated_v1', {}))).toEqual(answer);
    const fromApp = message('approve k3m9x2pq') as { event: { sender?: { sender_type?: string } } };
    if (fromApp.event.sender) fromApp.event.sender.sender_type = 'app';
    expect(await send(fromApp)).toEqual(answer);
  });

  it('refuses what is forged, unsigned, plain or old', async () => {
    const body = envelope(message('approve k3m9x2pq'));
    const other = envelope(message('hello'));
    const cases: Record<string, Promise<unknown>> = {
      unsigned: receive(body, {}),
      'signed over another body': receive(body, signed(other)),
      'signed with another key': receive(body, signed(body, { key: 'guessed' })),
      old: receive(body, signed(body, { at: NOW - 301_000 })),
      'from the future': receive(body, signed(body, { at: NOW + 301_000 })),
      'with another verification token': send(event('im.message.receive_v1', {}, { token: 'guessed' })),
      'without our keys': receive(body, signed(body), {}),
      'without our token': receive(body, signed(body), { FEISHU_ENCRYPT_KEY: KEYS.FEISHU_ENCRYPT_KEY }),
      'not decryptable': (() => {
        const garbage = JSON.stringify({ encrypt: Buffer.alloc(48, 1).toString('base64') });
        return receive(garbage, signed(garbage));
      })(),
    };
    for (const [name, received] of Object.entries(cases))
      expect(await codeOf(received), name).toBe('input.unauthorized');
  });

  it('refuses an event that was delivered before, unless it could not be kept', async () => {
    const same = message('hello');
    const first = await send(same);
    expect(await codeOf(send(same))).toBe('input.conflict');
    if (first.kind === 'message') first.undo?.();
    expect(await send(same)).toMatchObject({ kind: 'message' });
  });

  it('refuses what is too large, and what cannot be read', async () => {
    const large = 'x'.repeat(1_000_001);
    expect(await codeOf(receive(large, signed(large)))).toBe('input.too_large');
    const unreadable: Record<string, Promise<unknown>> = {
      'not JSON': receive('{', signed('{')),
      plain: receive('{"schema":"2.0"}', signed('{"schema":"2.0"}')),
      'an old schema': send({ ...message('x'), schema: '1.0' }),
      'a card without a decision': send(card({ approval: 'k3m9x2pq' })),
      'a card with another decision': send(card({ approval: 'k3m9x2pq', decision: 'maybe' })),
      'a message without text': send(message('x', { content: '{}' })),
    };
    for (const [name, received] of Object.entries(unreadable))
      expect(await codeOf(received), name).toBe('input.invalid');
  });

  it('says which keys are missing', () => {
    expect(say(alertSource.missing?.(testPlace()) ?? '', 'en')).toMatch(
      /FEISHU_ENCRYPT_KEY and FEISHU_VERIFICATION_TOKEN/,
    );
    expect(say(alertSource.missing?.(testPlace({ FEISHU_ENCRYPT_KEY: 'x' })) ?? '', 'en')).toMatch(
      /^FEISHU_VERIFICATION_TOKEN is/,
    );
    expect(alertSource.missing?.(testPlace(KEYS))).toBeUndefined();
  });
});
