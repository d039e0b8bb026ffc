/**
 * Takes `<tag>…</tag>` out of a text that comes in pieces, whatever the pieces. Text that may be the start of the
 * tag is held back until it is known; `end` gives out what was held and turned out to be none.
 */
export function tagScrubber(tag: string): { push(text: string): string; end(): string } {
  const open = `<${tag}>`;
  const close = `</${tag}>`;
  let held = '';
  let inside = false;

  const step = (): string => {
    const mark = inside ? close : open;
    const at = held.indexOf(mark);
    if (at >= 0) {
      const before = inside ? '' : held.slice(0, at);
      held = held.slice(at + mark.length);
      inside = !inside;
      return before + step();
    }
    const safe = held.length - halfMark(held, mark);
    const out = inside ? '' : held.slice(0, safe);
    held = held.slice(safe);
    return out;
  };

  return {
    push: (text) => {
      held += text;
      return step();
    },
    end: () => {
      const rest = inside ? '' : held;
      held = '';
      return rest;
    },
  };
}

/** A whole text without the tag and what stands in it. */
export function scrubTag(text: string, tag: string): string {
  const scrubber = tagScrubber(tag);
  return scrubber.push(text) + scrubber.end();
}

function halfMark(text: string, mark: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--) {
    if (mark.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
