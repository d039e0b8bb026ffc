import { createCipheriv, createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';

/** Secrets of the ways in, as they stand in the environment of a home under test. */
export const SECRETS = {
  FEISHU_ENCRYPT_KEY: 'an encrypt key of feishu',
  FEISHU_VERIFICATION_TOKEN: 'a verification token',
  WECOM_TOKEN: 'a token of wecom',
  WECOM_ENCODING_AES_KEY: Buffer.alloc(32, 9).toString('base64').slice(0, 43),
  WECOM_CORP_ID: 'ww1',
  PAGERDUTY_WEBHOOK_SECRET: 'a secret of pagerduty',
  HOOK_SECRET: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
};

export const WEBHOOKS = {
  generic: {
    nagios: { verify: 'standard', secret: 'HOOK_SECRET', map: { title: 'problem', service: 'host' } },
  },
};

/** One request, ready to be sent. */
export interface SignedRequest {
  readonly path: string;
  readonly body: string;
  readonly headers: Record<string, string>;
}

export interface Signing {
  /** Instead of the right secret. */
  readonly secret?: string;
  /** When it was signed, in milliseconds since the epoch. */
  readonly at?: number;
  /** The same id is the same delivery. */
  readonly id?: string;
}

export function pagerduty({ secret, at = Date.now(), id = randomUUID() }: Signing = {}): SignedRequest {
  const data = { id: 'PD1', title: 'Checkout is down', service: { summary: 'checkout' }, urgency: 'high' };
  const occurred = new Date(at).toISOString();
  const event = { id, event_type: 'incident.triggered', occurred_at: occurred, data };
  const body = JSON.stringify({ event });
  const hmac = createHmac('sha256', secret ?? SECRETS.PAGERDUTY_WEBHOOK_SECRET)
    .update(body)
    .digest('hex');
  return { path: '/gateway/pagerduty', body, headers: { 'x-pagerduty-signature': `v1=${hmac}` } };
}

export function generic(
  { secret, at = Date.now(), id = randomUUID() }: Signing = {},
  body = JSON.stringify({ problem: 'disk is full', host: 'ledger' }),
): SignedRequest {
  const key = Buffer.from((secret ?? SECRETS.HOOK_SECRET).replace('whsec_', ''), 'base64');
  const timestamp = String(Math.floor(at / 1_000));
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    path: '/gateway/webhook/nagios',
    body,
    headers: {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
  };
}

/** A press on a button of an approval card. */
export const feishuCard = (approval: string, user: string, signing: Signing = {}, confirmation?: string) =>
  feishu(
    'card.action.trigger',
    {
      operator: { open_id: user },
      action: {
        value: { approval, decision: 'approve' },
        ...(confirmation === undefined ? {} : { form_value: { confirmation } }),
      },
    },
    signing,
  );

/** Somebody says that something is wrong. */
export const feishuMessage = (text: string, signing: Signing = {}) =>
  feishu(
    'im.message.receive_v1',
    {
      sender: { sender_id: { open_id: 'ou_operator' }, sender_type: 'user' },
      message: { message_type: 'text', content: JSON.stringify({ text }) },
    },
    signing,
  );

function feishu(
  type: string,
  event: object,
  { secret = SECRETS.FEISHU_ENCRYPT_KEY, at = Date.now(), id = randomUUID() }: Signing,
): SignedRequest {
  const header = { event_id: id, event_type: type, token: SECRETS.FEISHU_VERIFICATION_TOKEN };
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-256-cbc', createHash('sha256').update(secret).digest(), iv);
  const plain = JSON.stringify({ schema: '2.0', header, event });
  const encrypt = Buffer.concat([iv, cipher.update(plain), cipher.final()]).toString('base64');
  const body = JSON.stringify({ encrypt });
  const timestamp = String(Math.floor(at / 1_000));
  return {
    path: '/gateway/feishu/events',
    body,
    headers: {
      'x-lark-request-timestamp': timestamp,
      'x-lark-request-nonce': 'nonce',
      'x-lark-signature': createHash('sha256').update(`${timestamp}nonce${secret}${body}`).digest('hex'),
    },
  };
}

/** Somebody says that something is wrong, in WeCom. */
export function wecomMessage(
  content: string,
  { secret = SECRETS.WECOM_TOKEN, at = Date.now(), id = String(Date.now()) }: Signing = {},
): SignedRequest {
  const message =
    `<xml><FromUserName><![CDATA[zhang]]></FromUserName><CreateTime>1</CreateTime>` +
    `<MsgType><![CDATA[text]]></MsgType><Content><![CDATA[${content}]]></Content><MsgId>${id}</MsgId></xml>`;
  const encrypted = wecomEncrypt(message);
  const timestamp = String(Math.floor(at / 1_000));
  const parts = [secret, timestamp, 'nonce', encrypted].sort().join('');
  const query = new URLSearchParams({
    timestamp,
    nonce: 'nonce',
    msg_signature: createHash('sha1').update(parts).digest('hex'),
  });
  return {
    path: `/gateway/wecom/events?${query}`,
    body: `<xml><Encrypt><![CDATA[${encrypted}]]></Encrypt></xml>`,
    headers: { 'content-type': 'text/xml' },
  };
}

function wecomEncrypt(plain: string): string {
  const key = Buffer.from(`${SECRETS.WECOM_ENCODING_AES_KEY}=`, 'base64');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(plain));
  const parts = [Buffer.alloc(16, 3), length, Buffer.from(plain), Buffer.from(SECRETS.WECOM_CORP_ID)];
  const whole = Buffer.concat(parts);
  const padding = 32 - (whole.byteLength % 32);
  const cipher = createCipheriv('aes-256-cbc', key, key.subarray(0, 16)).setAutoPadding(false);
  const padded = Buffer.concat([whole, Buffer.alloc(padding, padding)]);
  return Buffer.concat([cipher.update(padded), cipher.final()]).toString('base64');
}
