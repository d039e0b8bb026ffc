import { fail } from '#kit/app-error';

export interface XmlElement {
  readonly name: string;
  /** What stands directly inside, without the elements. */
  readonly text: string;
  readonly children: readonly XmlElement[];
}

const MAX_DEPTH = 8;
const MAX_ELEMENTS = 500;
const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** What may come next, each beginning where the last one ended. */
const PIECE =
  /<!\[CDATA\[(?<data>[\s\S]*?)\]\]>|<(?<close>\/?)(?<name>[A-Za-z_][\w.-]*)\s*(?<empty>\/?)>|(?<text>[^<]+)/y;
const DECLARATION = /^\uFEFF?\s*<\?xml[^<>?]*\?>/;

/**
 * The small part of XML that callbacks are written in: elements, text, CDATA. No attributes, comments, instructions or
 * document type; an entity stands for one character, so nothing can grow.
 */
export function parseXml(source: string): XmlElement {
  const declaration = DECLARATION.exec(source)?.[0].length ?? 0;
  const root = { name: '', text: '', children: [] as XmlElement[] };
  const open = [root];
  let elements = 0;
  PIECE.lastIndex = declaration;
  while (PIECE.lastIndex < source.length) {
    const at = PIECE.lastIndex;
    const piece = PIECE.exec(source)?.groups;
    if (!piece) throw malformed(`what begins at character ${at + 1} is not allowed`);
    const current = open.at(-1) ?? root;
    if (piece['name'] === undefined) {
      current.text += piece['data'] ?? decodeText(piece['text'] ?? '');
    } else if (piece['close']) {
      if (open.length === 1 || current.name !== piece['name'] || piece['empty'])
        throw malformed(`'</${piece['name']}>' closes nothing`);
      open.pop();
    } else {
      const element = { name: piece['name'], text: '', children: [] };
      current.children.push(element);
      elements += 1;
      if (!piece['empty']) open.push(element);
      if (elements > MAX_ELEMENTS || open.length > MAX_DEPTH) throw malformed('it has too many elements');
    }
  }
  const [only, ...more] = root.children;
  if (!only || more.length > 0 || open.length > 1 || root.text.trim() !== '')
    throw malformed('it is not one closed element');
  return only;
}

/** The text of the one child of this name. Throws for two: whoever reads the other one would see another message. */
export function childText(element: XmlElement, name: string): string | undefined {
  const [child, second] = element.children.filter((candidate) => candidate.name === name);
  if (second) throw malformed(`there is more than one '${name}'`);
  return child?.text.trim();
}

function decodeText(text: string): string {
  return text.replace(/&([^;\s]{0,10};?)/g, (_, given: string) => {
    const entity = given.endsWith(';') ? given.slice(0, -1) : '';
    if (Object.hasOwn(NAMED, entity)) return NAMED[entity] ?? '';
    const [, hex, decimal] = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(entity) ?? [];
    const point = hex === undefined ? Number(decimal ?? Number.NaN) : Number.parseInt(hex, 16);
    if (!(point > 0 && point <= 0x10_ff_ff)) throw malformed('it has an entity that is not one character');
    return String.fromCodePoint(point);
  });
}

const malformed = (why: string) => fail('input.invalid', `The XML cannot be read: ${why}.`);
