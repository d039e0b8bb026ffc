import { fail } from '#kit/app-error';
import type { Received, RouteAnswer } from '#spec/ports';
import { readApprovalWords } from '../approval-words.ts';
import { childText, parseXml, type XmlElement } from './strict-xml.ts';

/** WeCom takes an empty answer for "received". */
const OK: RouteAnswer = { status: 200, headers: { 'content-type': 'text/plain' }, body: '' };
/** The question of a card whose chosen option is the second confirmation. */
const CONFIRMATION = 'confirmation';

export interface WecomMessage {
  readonly received: Received;
  /** The same when WeCom sends it again. */
  readonly id: string;
}

/** What a decrypted message asks for. Who it is from is what WeCom says. */
export function readWecomMessage(xml: string): WecomMessage {
  const message = parseXml(xml);
  const user = childText(message, 'FromUserName');
  const type = childText(message, 'MsgType');
  if (!user || !type) throw fail('input.invalid', "WeCom's message names no sender or no type.");
  if (type === 'text')
    return {
      received: readWords(message, user),
      id: `message ${idOf(message, ['MsgId', 'FromUserName', 'CreateTime'])}`,
    };
  const isCard = type === 'event' && childText(message, 'Event') === 'template_card_event';
  const word = isCard ? readButton(message, user) : undefined;
  return {
    received: word ? { kind: 'approval', word, ack: OK } : { kind: 'answer', answer: OK },
    id: `event ${idOf(message, ['FromUserName', 'CreateTime', 'EventKey', 'TaskId', 'ResponseCode'])}`,
  };
}

function readWords(message: XmlElement, user: string): Received {
  const text = childText(message, 'Content') ?? '';
  const word = readApprovalWords(text, user);
  return word ? { kind: 'approval', word, ack: OK } : { kind: 'message', text, user, ack: OK };
}

/** Buttons of ours are keyed `approve:<id>` and `reject:<id>`; others are not ours. */
function readButton(message: XmlElement, user: string) {
  const [, verb, approval] = /^(approve|reject):(.*)$/.exec(childText(message, 'EventKey') ?? '') ?? [];
  if (verb === undefined) return undefined;
  if (!approval || !/^[\w-]{1,128}$/.test(approval))
    throw fail('input.invalid', "The button of WeCom's card names no approval.");
  const confirmation = chosenOption(message, CONFIRMATION);
  const word = { approval, granted: verb === 'approve', user };
  return confirmation ? { ...word, confirmation } : word;
}

function chosenOption(message: XmlElement, question: string): string | undefined {
  const items = childrenOf(childrenOf([message], 'SelectedItems'), 'SelectedItem');
  const item = items.find((candidate) => childText(candidate, 'QuestionKey') === question);
  return item && childrenOf(childrenOf([item], 'OptionIds'), 'OptionId')[0]?.text.trim();
}

const childrenOf = (elements: readonly XmlElement[], name: string): XmlElement[] =>
  elements.flatMap(({ children }) => children.filter((child) => child.name === name));

const idOf = (message: XmlElement, names: readonly string[]): string =>
  names.map((name) => childText(message, name) ?? '').join(' ');
