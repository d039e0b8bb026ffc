import type { WireEvent } from '#spec/ports';

const OPEN = '<think>';
const CLOSE = '</think>';

/**
 * Some servers leave a model's thinking inside its text, between `<think>` tags at the very start.
 * Feed it text deltas; it returns them sorted into thinking and text, holding back only what may be half a tag.
 */
export function thinkTagSplitter(): { push(text: string): WireEvent[]; end(): WireEvent[] } {
  let state: 'start' | 'inside' | 'closed' | 'after' = 'start';
  let held = '';

  const step = (): WireEvent[] => {
    if (state === 'start') {
      const text = held.trimStart();
      if (OPEN.startsWith(text)) return [];
      state = text.startsWith(OPEN) ? 'inside' : 'after';
      if (state === 'inside') held = text.slice(OPEN.length);
      return step();
    }
    if (state === 'inside') {
      const close = held.indexOf(CLOSE);
      if (close >= 0) {
        const thinking = held.slice(0, close);
        held = held.slice(close + CLOSE.length);
        state = 'closed';
        return [{ type: 'thinking', text: thinking }, { type: 'thinking_end' }, ...step()];
      }
      const safe = held.length - halfTag(held);
      const thinking = held.slice(0, safe);
      held = held.slice(safe);
      return thinking ? [{ type: 'thinking', text: thinking }] : [];
    }
    if (state === 'closed') {
      held = held.trimStart();
      if (held) state = 'after';
    }
    const text = held;
    held = '';
    return text ? [{ type: 'text', text }] : [];
  };

  return {
    push: (text) => {
      held += text;
      return step();
    },
    end: () => {
      const rest = held;
      held = '';
      return rest ? [{ type: state === 'inside' ? 'thinking' : 'text', text: rest }] : [];
    },
  };
}

/** How many characters at the end of `text` may be the start of the closing tag. */
function halfTag(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length--) {
    if (CLOSE.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
