import { say } from '#kit/text';
import { createCipheriv, createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { codeOf, testPlace, testRequest } from '#testkit/alert-request';
import { alertSource } from './wecom.ts';

const AES_KEY = Buffer.alloc(32, 9).toString('base64').slice(0, 43);
const KEYS = { WECOM_TOKEN: 'a token', WECOM_ENCODING_AES_KEY: AES_KEY, WECOM_CORP_ID: 'ww1' };
const NOW = 1_785_578_400_000;
let messages = 0;

interface Made {
  readonly corp?: string;
  readonly key?: string;
}

function encrypt(plain: string, { corp = KEYS.WECOM_CORP_ID, key = AES_KEY }: Made = {}): string {
  const bytes = Buffer.from(`${key}=`, 'base64');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(plain));
  const whole = Buffer.concat([Buffer.alloc(16, 3), length, Buffer.from(plain), Buffer.from(corp)]);
  const padding = 32 - (whole.byteLength % 32);
  const cipher = createCipheriv('aes-256-cbc', bytes, bytes.subarray(0, 16)).setAutoPadding(false);
  return Buffer.concat([
    cipher.update(Buffer.concat([whole, Buffer.alloc(padding, padding)])),
    cipher.final(),
  ]).toString('base64');
}
function sign(encrypted: string, { at = NOW, token = KEYS.WECOM_TOKEN } = {}): Record<string, string> {
  const [timestamp, nonce] = [String(Math.floor(at / 1000)), 'nonce1'];
  const text = [token, timestamp, nonce, encrypted].sort().join('');
  return { timestamp, nonce, msg_signature: createHash('sha1').update(text).digest('hex') };
}
const envelope = (encrypted: string) =>
  `<xml><ToUserName><![CDATA[ww1]]></ToUserName><AgentID><![CDATA[1]]></AgentID><Encrypt><![CDATA[${encrypted}]]></Encrypt></xml>`;
const post = (body: string, query: Record<string, string>, keys: Record<string, string> = KEYS) =>
  alertSource.receive(
    testRequest({ body, query }),
    testPlace(keys, undefined, () => NOW),
  );
const send = (plain: string, made: Made = {}) => {
  const encrypted = encrypt(plain, made);
  return post(envelope(encrypted), sign(encrypted));
};
const text = (content: string, id = ++messages) =>
  `<xml><ToUserName><![CDATA[ww1]]></ToUserName><FromUserName><![CDATA[zhang]]></FromUserName>` +
  `<CreateTime>1785578400</CreateTime><MsgType><![CDATA[text]]></MsgType><Content><![CDATA[${content}]]></Content>` +
  `<MsgId>${id}</MsgId><AgentID>1</AgentID></xml>`;
const button = (key: string, more = '') =>
  `<xml><FromUserName>li</FromUserName><CreateTime>${++messages}</CreateTime><MsgType>event</MsgType>` +
  `<Event>template_card_event</Event><EventKey>${key}</EventKey><TaskId>t</TaskId>${more}</xml>`;

describe('wecom', () => {
  it('answers the check of the address with what only we can decrypt', async () => {
    const echostr = encrypt('1616140317555161061');
    const ask = (query: Record<string, string>) =>
      alertSource.receive(
        testRequest({ method: 'GET', query: { ...query, echostr } }),
        testPlace(KEYS, undefined, () => NOW),
      );
    expect(await ask(sign(echostr))).toMatchObject({
      kind: 'answer',
      answer: { body: '1616140317555161061' },
    });
    expect(await codeOf(ask(sign('another')))).toBe('input.unauthorized');
  });

  it('agrees with what the platform computes', async () => {
    // Made with `openssl enc -aes-256-cbc -nopad` and `sha1sum`: a key of 32 times 09, a random part of 16 times 03.
    const encrypted =
      'i8p5z6fFPOtu/L94sgrdl7g31ww4bSWS3RKlTCMJ32OmvQtnhvNGkzuwgp1DsibO2Ef0iaVKtOFIpmxh3D6DXmRBdXBBM2qVBL98Jcszd68npY6IkvVgWwSftDY5hYfTQXQYsrJdoew3OFLvWRY3aRscuDxzT1mh27bodAXMSnudx6p1eLHJiV2ROBD4CPUOzQs6XowNBrVnALm/9ukYdA==';
    const query = {
      timestamp: '1785578400',
      nonce: 'nonce1',
      msg_signature: '3b633225b71f1c93753bf383cdec5630cedcbd4f',
    };
    expect(await post(envelope(encrypted), query)).toMatchObject({
      kind: 'message',
      text: 'hello',
      user: 'u',
    });
  });

  it('gives what a person says', async () =>
    expect(await send(text('payment-service 503 <飙升>'))).toMatchObject({
      kind: 'message',
      text: 'payment-service 503 <飙升>',
      user: 'zhang',
      ack: { status: 200, body: '' },
    }));

  it('takes words and buttons about an approval as such', async () => {
    expect(await send(text('批准 approval_x CONFIRM_EXECUTE'))).toMatchObject({
      kind: 'approval',
      word: { approval: 'approval_x', granted: true, confirmation: 'CONFIRM_EXECUTE', user: 'zhang' },
    });
    expect(await send(button('approve:k3m9x2pq'))).toMatchObject({
      kind: 'approval',
      word: { approval: 'k3m9x2pq', granted: true, user: 'li' },
    });
    expect(await send(button('reject:k3m9x2pq'))).toMatchObject({ word: { granted: false } });
    const chosen =
      '<SelectedItems><SelectedItem><QuestionKey>confirmation</QuestionKey>' +
      '<OptionIds><OptionId>CONFIRM_EXECUTE</OptionId></OptionIds></SelectedItem></SelectedItems>';
    expect(await send(button('approve:k3m9x2pq', chosen))).toMatchObject({
      word: { confirmation: 'CONFIRM_EXECUTE' },
    });
  });

  it('only answers what it does not know', async () => {
    const answer = { kind: 'answer', answer: { status: 200, body: '' } };
    expect(await send(button('view:k3m9x2pq'))).toMatchObject(answer);
    expect(await send(text('x').replace('[text]', '[image]'))).toMatchObject(answer);
  });

  it('refuses what is forged, unsigned, old, or meant for another company', async () => {
    const plain = text('approve k3m9x2pq');
    const encrypted = encrypt(plain);
    const body = envelope(encrypted);
    const short = encrypt(plain).slice(0, 24);
    const cases: Record<string, Promise<unknown>> = {
      unsigned: post(body, {}),
      'signed over another message': post(body, sign(encrypt(text('hello')))),
      'signed with another token': post(body, sign(encrypted, { token: 'guessed' })),
      old: post(body, sign(encrypted, { at: NOW - 301_000 })),
      'for another company': send(plain, { corp: 'ww2' }),
      'for a company that begins like ours': send(plain, { corp: 'ww1x' }),
      'encrypted with another key': send(plain, { key: Buffer.alloc(32, 8).toString('base64').slice(0, 43) }),
      'cut off': post(envelope(short), sign(short)),
      empty: post(envelope(''), sign('')),
      'without our keys': post(body, sign(encrypted), {}),
    };
    for (const [name, received] of Object.entries(cases))
      expect(await codeOf(received), name).toBe('input.unauthorized');
  });

  it('refuses a message that was delivered before, unless it could not be kept', async () => {
    const same = text('hello');
    const first = await send(same);
    expect(await codeOf(send(same))).toBe('input.conflict');
    if (first.kind === 'message') first.undo?.();
    expect(await send(same)).toMatchObject({ kind: 'message' });
  });

  it('refuses what is too large, and what cannot be read', async () => {
    expect(await codeOf(post(' '.repeat(256_001), {}))).toBe('input.too_large');
    const entity = '<!DOCTYPE xml [<!ENTITY a "b">]><xml><Encrypt>&a;</Encrypt></xml>';
    const unreadable: Record<string, Promise<unknown>> = {
      'no XML': post('{}', {}),
      'a document type': post(entity, {}),
      'no sender': send('<xml><MsgType>text</MsgType></xml>'),
      'two senders': send(text('x').replace('<MsgType>', '<FromUserName>boss</FromUserName><MsgType>')),
      'a button without an approval': send(button('approve:')),
    };
    for (const [name, received] of Object.entries(unreadable))
      expect(await codeOf(received), name).toBe('input.invalid');
  });

  it('says which keys are missing or wrong', () => {
    expect(say(alertSource.missing?.(testPlace()) ?? '', 'en')).toMatch(
      /WECOM_TOKEN, WECOM_ENCODING_AES_KEY, WECOM_CORP_ID/,
    );
    expect(
      say(alertSource.missing?.(testPlace({ ...KEYS, WECOM_ENCODING_AES_KEY: 'short' })) ?? '', 'en'),
    ).toMatch(/43/);
    expect(alertSource.missing?.(testPlace(KEYS))).toBeUndefined();
  });
});
