import { tell } from '#kit/text';
import { fail } from '#kit/app-error';
import { type AlertSourcePlace, defineAlertSource, type Received, type RouteRequest } from '#spec/ports';
import { checkSize, readText } from '../read-request.ts';
import { seenIds } from '../seen-ids.ts';
import { childText, parseXml } from './strict-xml.ts';
import { checkWecomSignature, decryptWecom, isAesKey, type WecomKeys } from './wecom-crypto.ts';
import { readWecomMessage } from './wecom-message.ts';

const TOKEN = 'WECOM_TOKEN';
const AES_KEY = 'WECOM_ENCODING_AES_KEY';
const CORP_ID = 'WECOM_CORP_ID';
const MAX_BYTES = 256_000;

const seen = seenIds();

/** Messages and card callbacks of a WeCom app: signed, encrypted, and meant for one company. */
export const alertSource = defineAlertSource({
  name: 'wecom',
  paths: ['/gateway/wecom/events', '/gateway/wecom/cards'],
  methods: ['GET', 'POST'],
  auth: 'signed',
  missing(place) {
    const absent = [TOKEN, AES_KEY, CORP_ID].filter((name) => !place.key(name));
    if (absent.length > 0)
      return tell(
        `${absent.join(', ')} ${absent.length > 1 ? 'are' : 'is'} not set: take them from "Receive messages" of the app and from the profile of the company, and put them into .env.`,
        `未设置 ${absent.join('、')}:在应用的“接收消息”与企业信息中获取,写入 .env。`,
      );
    return isAesKey(place.key(AES_KEY) ?? '')
      ? undefined
      : tell(
          `${AES_KEY} does not have the 43 characters of an EncodingAESKey.`,
          `${AES_KEY} 不是 43 个字符的 EncodingAESKey。`,
        );
  },
  async receive(request, place) {
    const keys = keysOf(place);
    const now = place.now();
    if (request.method === 'GET') return answerCheck(request, keys, now);
    checkSize(request, MAX_BYTES);
    const encrypted = childText(parseXml(readText(request, MAX_BYTES)), 'Encrypt') ?? '';
    checkWecomSignature(request.query, encrypted, keys, now);
    const { received, id } = readWecomMessage(decryptWecom(encrypted, keys));
    if (received.kind === 'answer') return received;
    return { ...received, undo: seen.claim(id, now) };
  },
});

function keysOf({ key }: Pick<AlertSourcePlace, 'key'>): WecomKeys {
  const [token, encodingAesKey, receiveId] = [key(TOKEN), key(AES_KEY), key(CORP_ID)];
  if (token && encodingAesKey && receiveId && isAesKey(encodingAesKey))
    return { token, encodingAesKey, receiveId };
  throw fail(
    'input.unauthorized',
    `WeCom cannot be told from others without ${TOKEN}, ${AES_KEY} and ${CORP_ID}.`,
  );
}

/** WeCom checks an address by a text that only the right app can decrypt. */
function answerCheck({ query }: RouteRequest, keys: WecomKeys, now: number): Received {
  // A plus sign that was not escaped arrives as a space.
  const encrypted = (query.get('echostr') ?? '').replaceAll(' ', '+');
  checkWecomSignature(query, encrypted, keys, now);
  const body = decryptWecom(encrypted, keys);
  return { kind: 'answer', answer: { status: 200, headers: { 'content-type': 'text/plain' }, body } };
}
