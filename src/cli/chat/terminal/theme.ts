import type { EditorTheme, MarkdownTheme, SelectListTheme } from '@earendil-works/pi-tui';
import pc from 'picocolors';

export interface Theme {
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
  readonly accent: (text: string) => string;
  readonly good: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly chosen: (text: string) => string;
  readonly markdown: MarkdownTheme;
  readonly editor: EditorTheme;
  readonly select: SelectListTheme;
}

/** Every colour of the chat. Without colour nothing but the cursor is styled. */
export function makeTheme(colour: boolean): Theme {
  const c = pc.createColors(colour);
  const select: SelectListTheme = {
    selectedPrefix: c.cyan,
    selectedText: c.cyan,
    description: c.dim,
    scrollInfo: c.dim,
    noMatch: c.dim,
  };
  return {
    dim: c.dim,
    bold: c.bold,
    accent: c.cyan,
    good: c.green,
    warn: c.yellow,
    bad: c.red,
    chosen: (text) => c.bold(c.cyan(text)),
    markdown: markdownTheme(c, colour),
    editor: { borderColor: c.dim, selectList: select },
    select,
  };
}

function markdownTheme(c: ReturnType<typeof pc.createColors>, colour: boolean): MarkdownTheme {
  // The library draws the opening and then the closing border of a nested listing, always in pairs.
  let inside = false;
  return {
    heading: c.cyan,
    link: c.blue,
    linkUrl: c.dim,
    code: colour ? c.yellow : (text) => `\`${text}\``,
    codeBlock: (text) => text,
    codeBlockBorder: (text) => {
      inside = !inside;
      const lang = text.replace(/^`+/, '');
      return c.dim(inside ? `╭─${lang ? ` ${lang} ` : ''}──` : '╰────');
    },
    codeBlockIndent: c.dim('│ '),
    quote: c.dim,
    quoteBorder: c.dim,
    hr: c.dim,
    listBullet: c.cyan,
    bold: colour ? c.bold : (text) => text,
    italic: c.italic,
    strikethrough: c.strikethrough,
    underline: c.underline,
  };
}
