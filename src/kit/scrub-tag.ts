/**
 * Takes `<tag>…</tag>` out of a text that comes in pieces, whatever the pieces. Text that may be the start of the
 * tag is held back until it is known; `end` gives out what was held and turned out to be none.
 */
export function tagScrubber(tag: string): {
  readonly push: (text: string) => string;
  readonly end: () => string;
} {
  const open = `<${tag}>`;
  const close = `</${tag}>`;
  let held = '';
  let inside = false;

  const take = (): string => {
    let out = '';
    let from = 0;
    for (;;) {
      const mark = inside ? close : open;
      const at = held.indexOf(mark, from);
      const safe = at < 0 ? Math.max(from, held.length - halfMark(held, mark)) : at;
      if (!inside) out += held.slice(from, safe);
      if (at < 0) {
        held = held.slice(safe);
        return out;
      }
      from = at + mark.length;
      inside = !inside;
    }
  };

  return {
    push: (text) => {
      held += text;
      return take();
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
