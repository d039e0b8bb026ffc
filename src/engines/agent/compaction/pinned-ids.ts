import { withoutFence } from '#kit/memory-fence';
import { lineAround, RECORD_KINDS, type RecordKind, recordIds } from '#kit/record-ids';
import type { Message, StoredMessage } from '#spec/data';

/** A record that a conversation spoke of: what goes on from a digest must still be able to name it. */
export interface Pin {
  readonly kind: RecordKind;
  readonly id: string;
  /** The incident that a piece of evidence is of: every incident numbers its own. */
  readonly of?: string;
  /** The line that it was first told in. */
  readonly about: string;
  /** How it ended, in the words of the conversation; absent while it is open. */
  readonly settled?: string;
}

const HEADER = '[Records that were named before; their ids are exact and stay valid]';
const LONGEST_ABOUT = 140;
const ENTRY = new RegExp(
  `^- (${RECORD_KINDS.join('|')}) (?:([A-Za-z0-9_-]+)/)?([A-Za-z0-9_-]+)(?:: (.*?))?(?: \\(settled: ([^()]*)\\))?$`,
);
const LEFT_OUT = /^\((\d+) settled and (\d+) open ones left out/;
const leftOut = (settled: number, open: number): string =>
  `(${settled} settled and ${open} open ones left out; session_search finds them)`;

/** A decision that still has to come is none: "not approved yet", "once it is approved". */
const NOT_YET = String.raw`(?<!\b(?:not|be|if|once|until|unless|when|before|after it is|is it|never)\s{1,3})(?<!(?:未|没有|等待|待|如果|是否))`;
const ended = (words: string, chinese: string) =>
  new RegExp(`${NOT_YET}(?:\\b(?:${words})\\b|(?:已经?|被)(?:${chinese}))`, 'i');
const DONE = ended(
  'executed|carried out|finished|succeeded|failed|verified|rolled back|cancell?ed|refused|rejected',
  '执行|完成|成功|失败|验证|回滚|取消|拒绝',
);
const ENDS: Readonly<Partial<Record<RecordKind, RegExp>>> = {
  incident: ended('closed|resolved|recovered', '关闭|恢复|解决'),
  approval: ended(
    'granted|approved|agreed to|denied|refused|rejected|expired|withdrawn',
    '批准|同意|拒绝|过期|撤回',
  ),
  action: DONE,
  execution: DONE,
  run: DONE,
  checkpoint: ended('restored|removed|discarded', '还原|删除'),
};
const AGAIN = /\b(?:reopened|pending|waiting|requested)\b|重新打开|等待|待审批/i;

const keyOf = ({ of, id }: Pick<Pin, 'of' | 'id'>): string => (of ? `${of}/${id}` : id);

/** Every record that the messages name, the one that was spoken of longest ago first. */
export function pinsOf(messages: readonly StoredMessage[]): ReadonlyMap<string, Pin> {
  const pins = new Map<string, Pin>();
  const fromCalls = new Set<string>();
  let incident: string | undefined;
  const add = (pin: Pin, isCall: boolean): void => {
    const key = keyOf(pin);
    const known = pins.get(key);
    const better = known && fromCalls.has(key) && !isCall;
    if (!isCall) fromCalls.delete(key);
    else if (!known) fromCalls.add(key);
    // Told again: it moves to the end.
    pins.delete(key);
    pins.set(key, known && !better ? { ...pin, about: known.about } : pin);
  };
  for (const stored of messages) {
    for (const { text, isCall } of textsOf(stored)) {
      if (isPinned(stored, text)) {
        for (const pin of parsePins(text).pins) add(pin, false);
        continue;
      }
      for (const { kind, id, at } of recordIds(text)) {
        if (kind === 'incident') incident = id;
        const of = kind === 'evidence' ? incident : undefined;
        const line = lineAround(text, at, LONGEST_ABOUT);
        const about = line.startsWith(id) ? line.slice(id.length).replace(/^[\s::-]+/, '') : line;
        const before = pins.get(keyOf({ id, ...(of ? { of } : {}) }))?.settled;
        const settled = AGAIN.test(line) ? undefined : (ENDS[kind]?.exec(line)?.[0].toLowerCase() ?? before);
        add({ kind, id, about, ...(of ? { of } : {}), ...(settled ? { settled } : {}) }, isCall);
      }
    }
  }
  // What was found out about an incident that is over is over as well.
  for (const [key, pin] of pins) {
    const end = pin.of ? pins.get(pin.of)?.settled : undefined;
    if (end && !pin.settled) pins.set(key, { ...pin, settled: end });
  }
  return pins;
}

/**
 * The records of a stretch that is to be shortened, as a block that stands behind its digest. When there is no room for
 * all of them, settled ones go first, those spoken of longest ago before the others; then open ones lose what is said
 * about them; whatever is left out is counted. Undefined when the stretch names none.
 */
export function pinBlock(
  stretch: readonly StoredMessage[],
  all: ReadonlyMap<string, Pin>,
  mostChars: number,
): string | undefined {
  const own = [...pinsOf(stretch)].map(([key, pin]) => all.get(key) ?? pin);
  const before = stretch.flatMap((stored) =>
    textsOf(stored).flatMap(({ text }) => (isPinned(stored, text) ? [parsePins(text)] : [])),
  );
  let settled = before.reduce((sum, { settled: count }) => sum + count, 0);
  let open = before.reduce((sum, { open: count }) => sum + count, 0);
  if (own.length === 0 && settled + open === 0) return undefined;

  const kept = own.map((pin) => ({ pin, line: lineOf(pin) }));
  const room = mostChars - HEADER.length - leftOut(own.length, own.length).length - 2;
  let size = kept.reduce((sum, { line }) => sum + line.length + 1, 0);
  const drop = (which: (pin: Pin) => boolean): void => {
    for (let i = 0; i < kept.length && size > room; ) {
      const { pin, line } = kept[i] as (typeof kept)[number];
      if (!which(pin)) {
        i++;
        continue;
      }
      size -= line.length + 1;
      kept.splice(i, 1);
      if (pin.settled) settled++;
      else open++;
    }
  };
  drop((pin) => pin.settled !== undefined);
  for (const entry of kept) {
    if (size <= room) break;
    const short = lineOf({ ...entry.pin, about: '' });
    size -= entry.line.length - short.length;
    entry.line = short;
  }
  drop(({ kind }) => kind === 'evidence');
  drop(() => true);
  const tail = settled + open ? [leftOut(settled, open)] : [];
  return [HEADER, ...kept.map(({ line }) => line), ...tail].join('\n');
}

/** The ids of one text and what is said about them, for a result that is put away. */
export function pinLines(text: string, mostChars: number): readonly string[] {
  const ids = recordIds(text).filter(({ id }, i, every) => every.findIndex((one) => one.id === id) === i);
  const lines = ids.map(({ id, at }) => {
    const line = lineAround(text, at, LONGEST_ABOUT);
    return line === id ? `- ${id}` : `- ${line}`;
  });
  const distinct = [...new Set(lines)];
  if (distinct.join('\n').length <= mostChars) return distinct;
  const most = Math.max(1, Math.floor(mostChars / 16));
  const more = ids.length > most ? [`(${ids.length - most} more)`] : [];
  return [
    ids
      .slice(0, most)
      .map(({ id }) => id)
      .join(', '),
    ...more,
  ];
}

/** Whether a part of a message is such a block. */
export const isPinned = ({ kind, message }: Pick<StoredMessage, 'kind' | 'message'>, text: string): boolean =>
  kind === 'digest' && message.role === 'user' && text.startsWith(HEADER);

function lineOf({ kind, id, of, about, settled }: Pin): string {
  const end = settled ? ` (settled: ${settled.replaceAll(/[()]/g, '')})` : '';
  return `- ${kind} ${of ? `${of}/` : ''}${id}${about ? `: ${about}` : ''}${end}`;
}

function parsePins(text: string): { pins: Pin[]; settled: number; open: number } {
  const pins: Pin[] = [];
  let counts = { settled: 0, open: 0 };
  for (const line of text.split('\n')) {
    const [, kind, of, id, about = '', settled] = ENTRY.exec(line) ?? [];
    if (kind && id)
      pins.push({
        kind: kind as RecordKind,
        id,
        about,
        ...(of ? { of } : {}),
        ...(settled ? { settled } : {}),
      });
    const [, out, open] = LEFT_OUT.exec(line) ?? [];
    if (out && open) counts = { settled: Number(out), open: Number(open) };
  }
  return { pins, ...counts };
}

interface Told {
  readonly text: string;
  readonly isCall: boolean;
}

function textsOf({ message }: StoredMessage): readonly Told[] {
  return withoutFence<Message['content'][number]>(message.content).flatMap((part): readonly Told[] => {
    if (part.type === 'tool_call') return [{ text: part.arguments, isCall: true }];
    return part.type === 'text' ? [{ text: part.text, isCall: false }] : [];
  });
}
