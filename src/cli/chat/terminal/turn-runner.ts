import { setTimeout as delay } from 'node:timers/promises';
import type { Conversation } from '#app/conversation';
import { toErrorRecord } from '#kit/app-error';
import type { UserPart } from '#spec/data';
import { plainText } from '../past-items.ts';
import { type Item, reduceTurn, startTurn, type TurnView } from '../turn-view.ts';
import type { ChatScreen } from './chat-screen.ts';
import { type TurnBlock, type TurnBlockOptions, turnBlock } from './turn-block.ts';

/** How often running things turn and count. */
const TICK_MS = 100;
const STOP_MS = 2_000;

export interface TurnRunner {
  /** Runs a turn, and those that follow from what was said too late for it. `shown` is how the message looks. */
  run(content: readonly UserPart[], shown: string): Promise<void>;
  readonly running: boolean;
  /** The turn that is shown last, whether it runs or not. */
  readonly last: TurnBlock | undefined;
  interrupt(): void;
  /** Interrupts for good, and resolves when nothing runs any more or what runs does not listen. */
  stop(): Promise<void>;
  steer(words: string): void;
}

/** Drives turns one after the other and shows them as they go. */
export function turnRunner(
  conversation: Conversation,
  screen: ChatScreen,
  options: TurnBlockOptions,
): TurnRunner {
  let controller: AbortController | undefined;
  let last: TurnBlock | undefined;
  let leaving = false;
  let ended: Promise<unknown> = Promise.resolve();

  const runOne = async (content: readonly UserPart[], items: readonly Item[]): Promise<readonly string[]> => {
    const own = new AbortController();
    controller = own;
    screen.transcript.retire();
    const block = turnBlock(startTurn(items, options.now()), options);
    last = block;
    screen.transcript.addChild(block);
    const timer = setInterval(() => screen.render(), TICK_MS);
    try {
      const stream = conversation.send(content, own.signal);
      for await (const event of stream) {
        if (event.type === 'steering.applied') screen.waiting = without(screen.waiting, event.data.text);
        block.update(stopping(reduceTurn(block.view, event, options.now()), own.signal));
        screen.render();
      }
      return (await stream.result()).leftover;
    } catch (thrown) {
      const error: Item = { kind: 'error', error: toErrorRecord(thrown) };
      block.update({ ...block.view, items: [...block.view.items, error], activity: { kind: 'idle' } });
      return [];
    } finally {
      clearInterval(timer);
      controller = undefined;
      screen.render();
    }
  };

  const runAll = async (content: readonly UserPart[], shown: string): Promise<void> => {
    const leftover = await runOne(content, [{ kind: 'user', text: shown || plainText(content) }]);
    screen.waiting = [];
    if (leftover.length && !leaving) await runAll(leftover.map(textPart), '');
  };
  const interrupt = () => {
    if (!controller) return;
    controller.abort();
    if (last) last.update({ ...last.view, activity: { kind: 'stopping' } });
    screen.render();
  };

  return {
    get running() {
      return controller !== undefined;
    },
    get last() {
      return last;
    },
    run: (content, shown) => {
      const run = runAll(content, shown);
      ended = run;
      return run;
    },
    interrupt,
    stop: async () => {
      leaving = true;
      interrupt();
      await Promise.race([ended, delay(STOP_MS, undefined, { ref: false })]);
    },
    steer: (words) => {
      screen.waiting = [...screen.waiting, words];
      conversation.steer(words);
      screen.render();
    },
  };
}

const textPart = (text: string): UserPart => ({ type: 'text', text });

/** After an interrupt the turn is stopping until it has ended, whatever still arrives. */
const stopping = (view: TurnView, signal: AbortSignal): TurnView =>
  signal.aborted && view.activity.kind !== 'idle' ? { ...view, activity: { kind: 'stopping' } } : view;

function without(words: readonly string[], said: string): readonly string[] {
  const at = words.indexOf(said);
  return at < 0 ? words : words.toSpliced(at, 1);
}
