/** Elements that have no end, or whose end may be left out: they say nothing about nesting. */
const SHALLOW = new Set(
  'area base br col embed hr img input link meta param source track wbr p li td th tr dt dd option thead tbody tfoot html head body'.split(
    ' ',
  ),
);
/** Their content is no markup. */
const RAW = new Set(['script', 'style', 'textarea', 'title']);

export interface MarkupScan {
  /** Where the last element that is still wanted ends. */
  readonly end: number;
  readonly depth: number;
  readonly nodes: number;
  /** The words between the tags, for pages that cannot be taken apart. */
  words(): string;
}

/**
 * One pass over markup, before anything builds a tree of it: how deep it nests, and where it has had `most` nodes (tags,
 * comments, entities). The time is linear whatever a page is made of.
 */
export function scanMarkup(html: string, most: number): MarkupScan {
  const words: string[] = [];
  let [at, nodes, open, depth] = [0, 0, 0, 0];
  while (nodes < most) {
    const start = html.indexOf('<', at);
    const end = start < 0 ? -1 : html.indexOf(html.startsWith('<!--', start) ? '-->' : '>', start);
    const text = html.slice(at, end < 0 ? html.length : start);
    const known = entities(text, most - nodes);
    words.push(text.slice(0, known.end));
    nodes += 1 + known.count;
    if (known.end < text.length) {
      at += known.end;
      break;
    }
    at = end < 0 ? html.length : end + 1;
    if (end < 0) break;
    const [, slash, name = ''] = /^<(\/?)([a-z][a-z0-9-]{0,20})/i.exec(html.slice(start, start + 24)) ?? [];
    const lower = name.toLowerCase();
    if (!slash && RAW.has(lower)) at = afterRaw(html, lower, at);
    else if (lower && !SHALLOW.has(lower)) open = slash ? Math.max(0, open - 1) : open + 1;
    depth = Math.max(depth, open);
  }
  return { end: at, depth, nodes, words: () => words.join(' ').replace(/\s+/g, ' ').trim() };
}

/** How many there are, and how far the text reaches until there are `most`. */
function entities(text: string, most: number): { count: number; end: number } {
  let count = 0;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    if (count >= most) return { count, end: at };
    count += 1;
  }
  return { count, end: text.length };
}

/** Behind the end of an element whose content is skipped; one that never ends takes the rest with it. */
function afterRaw(html: string, name: string, from: number): number {
  const close = new RegExp(`</${name}`, 'gi');
  close.lastIndex = from;
  const found = close.exec(html);
  if (!found) return html.length;
  const end = html.indexOf('>', found.index);
  return end < 0 ? html.length : end + 1;
}
