import type {
  AssistantMessage,
  AssistantPart,
  ModelEvent,
  Origin,
  StopReason,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  Usage,
} from '#spec/data';
import type { VendorError, WireEvent } from '#spec/ports';
import { isJsonObject } from './content.ts';

type Emit = (event: ModelEvent) => void;

interface OpenCall {
  readonly index: number;
  readonly part: ToolCallPart;
  ended: boolean;
}

/** A response under construction: wire events go in, live events come out, and the message grows. */
export interface Assembly {
  add(event: WireEvent): void;
  /**
   * What has arrived. A tool call that never ended, or that the output limit cut short, is left out:
   * half a call must not be run.
   */
  message(): AssistantMessage;
  readonly usage: Usage;
  readonly stop: StopReason | undefined;
  readonly complete: boolean;
  readonly error: VendorError | undefined;
}

export function assemble(origin: Origin, emit: Emit): Assembly {
  const parts: AssistantPart[] = [];
  const calls = new Map<string | number, OpenCall>();
  const usage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
  /** The part that the next delta of the same kind continues. */
  let open: TextPart | ThinkingPart | undefined;
  let stop: StopReason | undefined;
  let complete = false;
  let error: VendorError | undefined;

  const continued = (type: 'text' | 'thinking'): TextPart | ThinkingPart => {
    if (open?.type === type) return open;
    const part = { type, text: '' };
    parts.push(part);
    open = part;
    return part;
  };

  /** The last thinking part, while nothing is attached to it yet. */
  const unsigned = (): ThinkingPart | undefined => {
    const last = parts.findLast((part) => part.type === 'thinking');
    return last?.replay ? undefined : last;
  };

  const append = (type: 'text' | 'thinking', text: string) => {
    if (!text) return;
    continued(type).text += text;
    emit({ type: `${type}.delta`, text });
  };

  const endCall = (call: OpenCall | undefined) => {
    if (!call || call.ended) return;
    call.ended = true;
    emit({ type: 'tool_call.end', index: call.index, call: { ...call.part } });
  };

  const add = (event: WireEvent) => {
    switch (event.type) {
      case 'text':
      case 'thinking':
        return append(event.type, event.text);
      case 'thinking_end':
        if (event.replay) Object.assign(unsigned() ?? continued('thinking'), { replay: event.replay });
        open = undefined;
        return;
      case 'tool_start': {
        const part: ToolCallPart = { type: 'tool_call', id: event.id, name: event.name, arguments: '' };
        if (event.replay) part.replay = event.replay;
        const call = { index: calls.size, part, ended: false };
        calls.set(event.key, call);
        parts.push(part);
        open = undefined;
        return emit({ type: 'tool_call.start', index: call.index, id: event.id, name: event.name });
      }
      case 'tool_arguments': {
        const call = calls.get(event.key);
        if (!call || call.ended || !event.text) return;
        call.part.arguments += event.text;
        return emit({ type: 'tool_call.delta', index: call.index, text: event.text });
      }
      case 'tool_end':
        return endCall(calls.get(event.key));
      case 'usage':
        Object.assign(usage, event.usage);
        return;
      case 'stop':
        for (const call of calls.values()) {
          if (event.reason !== 'length' || isJsonObject(call.part.arguments)) endCall(call);
          else call.ended = false;
        }
        stop = event.reason === 'end' && calls.size > 0 ? 'tool_calls' : event.reason;
        return;
      case 'error':
        error ??= event.error;
        return;
      case 'complete':
        complete = true;
        return;
    }
  };

  const message = (): AssistantMessage => {
    const ended = new Set<AssistantPart>();
    for (const call of calls.values()) if (call.ended) ended.add(call.part);
    const content = parts.filter((part) => part.type !== 'tool_call' || ended.has(part));
    return { role: 'assistant', content, origin };
  };

  return {
    add,
    message,
    usage,
    get stop() {
      return stop;
    },
    get complete() {
      return complete;
    },
    get error() {
      return error;
    },
  };
}
