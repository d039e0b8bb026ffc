import { z } from 'zod';
import { tell } from '#kit/text';
import { fail } from '#kit/app-error';
import { type AlertSourcePlace, defineAlertSource, type RouteRequest } from '#spec/ports';
import { checkFeishuSignature, decryptFeishu } from './feishu-crypto.ts';
import { FeishuEvent, readFeishuEvent } from './feishu-event.ts';
import { checkSize, parseJson, readShape, readText } from '../read-request.ts';
import { sameSecret } from '../same-secret.ts';
import { seenIds } from '../seen-ids.ts';

const ENCRYPT_KEY = 'FEISHU_ENCRYPT_KEY';
const VERIFICATION_TOKEN = 'FEISHU_VERIFICATION_TOKEN';

const Envelope = z.object({ encrypt: z.string().min(1) });
const Challenge = z.object({
  type: z.literal('url_verification'),
  challenge: z.string().max(1000),
  token: z.string(),
});

interface Keys {
  readonly encrypt: string;
  readonly token: string;
}

const seen = seenIds();

/** Events and card callbacks of Feishu and Lark: encrypted, signed, with a verification token inside. */
export const alertSource = defineAlertSource({
  name: 'feishu',
  paths: ['/gateway/feishu/events', '/gateway/feishu/cards'],
  methods: ['POST'],
  auth: 'signed',
  missing(place) {
    const absent = [ENCRYPT_KEY, VERIFICATION_TOKEN].filter((name) => !place.key(name));
    if (absent.length === 0) return undefined;
    return tell(
      `${absent.join(' and ')} ${absent.length > 1 ? 'are' : 'is'} not set: take them from "Events & callbacks → Encryption strategy" of the app, and put them into .env.`,
      `未设置 ${absent.join('、')}:在应用的“事件与回调 → 加密策略”中获取,写入 .env。`,
    );
  },
  async receive(request, place) {
    const keys = keysOf(place);
    const now = place.now();
    checkSize(request);
    // Feishu checks the address before it signs anything; what it sends then is encrypted all the same.
    if (request.headers['x-lark-signature'] === undefined) return answerUnsigned(request, keys);
    checkFeishuSignature(request, keys.encrypt, now);
    const payload = decrypted(request, keys);
    const challenge = Challenge.safeParse(payload);
    if (challenge.success) return answerChallenge(challenge.data, keys);
    const event = readShape(FeishuEvent, payload, "Feishu's event");
    checkToken(event.header.token, keys);
    const received = readFeishuEvent(event);
    if (received.kind === 'answer') return received;
    return { ...received, undo: seen.claim(event.header.event_id, now) };
  },
});

function keysOf({ key }: Pick<AlertSourcePlace, 'key'>): Keys {
  const [encrypt, token] = [key(ENCRYPT_KEY), key(VERIFICATION_TOKEN)];
  if (encrypt && token) return { encrypt, token };
  throw fail(
    'input.unauthorized',
    `Feishu cannot be told from others without ${ENCRYPT_KEY} and ${VERIFICATION_TOKEN}.`,
  );
}

function decrypted(request: RouteRequest, { encrypt }: Keys): unknown {
  const envelope = readShape(Envelope, parseJson(readText(request), "Feishu's request"), "Feishu's request");
  return parseJson(decryptFeishu(envelope.encrypt, encrypt), "Feishu's decrypted request");
}

function answerUnsigned(request: RouteRequest, keys: Keys) {
  let challenge: ReturnType<typeof Challenge.safeParse>;
  try {
    challenge = Challenge.safeParse(decrypted(request, keys));
  } catch (thrown) {
    throw fail('input.unauthorized', "The request has no signature of Feishu's.", undefined, thrown);
  }
  if (challenge.success) return answerChallenge(challenge.data, keys);
  throw fail('input.unauthorized', "The request has no signature of Feishu's.");
}

function answerChallenge({ challenge, token }: z.infer<typeof Challenge>, keys: Keys) {
  checkToken(token, keys);
  return { kind: 'answer', answer: { status: 200, body: { challenge } } } as const;
}

function checkToken(given: string, { token }: Keys): void {
  if (sameSecret(given, token)) return;
  throw fail(
    'input.unauthorized',
    "Feishu's verification token does not hold.",
    `Compare ${VERIFICATION_TOKEN} with the verification token of the app.`,
  );
}
