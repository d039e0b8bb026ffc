/** Where GB 2312 has its Han characters: all that simplified texts are written with, and none of the traditional ones. */
const ROWS = { first: 0xb0, last: 0xf7 };
const CELLS = { first: 0xa1, last: 0xfe };
const HAN = /\p{Script=Han}/gu;

let known: ReadonlySet<string> | undefined;
let converter: Promise<(text: string) => string> | undefined;

function readTable(): ReadonlySet<string> {
  const bytes: number[] = [];
  for (let row = ROWS.first; row <= ROWS.last; row++)
    for (let cell = CELLS.first; cell <= CELLS.last; cell++) bytes.push(row, cell);
  return new Set(new TextDecoder('gb2312').decode(Uint8Array.from(bytes)));
}

const isTraditional = (text: string): boolean =>
  (text.match(HAN) ?? []).some((character) => !(known ??= readTable()).has(character));

/** A sentence in traditional Chinese as one in simplified, with the words of the mainland; any other as it is. */
export async function simplified(text: string): Promise<string> {
  if (!isTraditional(text)) return text;
  converter ??= import('opencc-js/t2cn').then(({ Converter }) => Converter({ from: 'twp', to: 'cn' }));
  return (await converter)(text);
}
