import type { KnownSecrets } from '#kit/redact';
import type { Conversation } from '#engines/session';
import { fail, toErrorRecord } from '#kit/app-error';
import type { UserPart } from '#spec/data';
import { redactDeep } from '#kit/redact';
import type { ChatStatus } from './chat.ts';
import type { ItemList } from './item-list.ts';
import { picturesOf, spoken } from './past-items.ts';
import { type TurnItems, turnItems } from './turn-items.ts';

/** What waits for the running turn is told with every change of the status: it stays small. */
const MOST_WAITING = 20;
const MOST_WAITING_CHARS = 200_000;

interface RunnerOptions {
  readonly list: ItemList;
  readonly now: () => number;
  readonly secrets: KnownSecrets;
  /** Called when the status may be another one. */
  readonly onChange: () => void;
  /** Called when a turn is over and none follows from it. */
  readonly onEnd: () => void;
}

interface TurnRunner {
  readonly running: ChatStatus['running'];
  readonly waiting: readonly string[];
  /** Runs the turn of this number, and those that follow from what was said too late for it. */
  run(conversation: Conversation, content: readonly UserPart[], turn: number): Promise<void>;
  /** Throws `input.conflict` where enough waits already. */
  steer(conversation: Conversation, text: string): void;
  stop(): boolean;
}

/** Drives turns one after the other and shows them as they go. */
export function turnRunner({ list, now, secrets, onChange, onEnd }: RunnerOptions): TurnRunner {
  let current: { readonly turn: number; readonly since: number; readonly stop: AbortController } | undefined;
  let shown: TurnItems | undefined;
  let waiting: readonly string[] = [];

  const runOne = async (
    conversation: Conversation,
    content: readonly UserPart[],
    turn: number,
  ): Promise<{ readonly leftover: readonly string[]; readonly aborted: boolean }> => {
    const stop = new AbortController();
    current = { turn, since: now(), stop };
    const words = {
      kind: 'user',
      text: spoken(content),
      images: picturesOf('', content),
      at: now(),
    } as const;
    const said = list.add(redactDeep(words, secrets));
    shown = turnItems(list, said, { now, secrets });
    onChange();
    try {
      const stream = conversation.send(content, stop.signal);
      for await (const event of stream) {
        if (event.type === 'steering.applied') waiting = without(waiting, event.data.text);
        shown.show(event);
        onChange();
      }
      const { leftover, status } = await stream.result();
      return { leftover, aborted: status === 'aborted' };
    } catch (thrown) {
      list.add(redactDeep({ kind: 'error', error: toErrorRecord(thrown) }, secrets));
      return { leftover: [], aborted: false };
    }
  };

  return {
    get running() {
      if (!current) return undefined;
      const { turn, since, stop } = current;
      const activity = stop.signal.aborted
        ? ({ kind: 'stopping' } as const)
        : (shown?.activity ?? ({ kind: 'waiting' } as const));
      return { turn, since, activity, ...(shown?.budget ? { budget: shown.budget } : {}) };
    },
    get waiting() {
      return waiting;
    },
    run: async (conversation, content, first) => {
      let next: readonly UserPart[] = content;
      for (let turn = first; next.length > 0; turn++) {
        const { leftover, aborted } = await runOne(conversation, next, turn);
        waiting = [];
        // Whoever stops a turn wants none of what was meant for it.
        if (aborted) for (const text of leftover) list.add(redactDeep({ kind: 'unsaid', text }, secrets));
        next = aborted ? [] : leftover.map((text) => ({ type: 'text', text }));
      }
      current = undefined;
      shown = undefined;
      onChange();
      onEnd();
    },
    steer: (conversation, text) => {
      const chars = waiting.reduce((sum, each) => sum + each.length, text.length);
      if (waiting.length >= MOST_WAITING || chars > MOST_WAITING_CHARS)
        throw fail('input.conflict', 'Enough waits for the running turn already.', 'Stop it, or wait.');
      waiting = [...waiting, text];
      conversation.steer(text);
      onChange();
    },
    stop: () => {
      current?.stop.abort();
      onChange();
      return current !== undefined;
    },
  };
}

function without(words: readonly string[], said: string): readonly string[] {
  const at = words.indexOf(said);
  return at < 0 ? words : words.toSpliced(at, 1);
}
