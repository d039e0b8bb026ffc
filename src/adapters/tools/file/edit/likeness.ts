/** Typographic characters and their plain ones; each is one unit long, so that places in a text stay the same. */
const PLAIN: Readonly<Record<string, string>> = {
  '\u2018': "'",
  '\u2019': "'",
  '\u201a': "'",
  '\u201b': "'",
  '\u201c': '"',
  '\u201d': '"',
  '\u201e': '"',
  '\u2010': '-',
  '\u2011': '-',
  '\u2012': '-',
  '\u2013': '-',
  '\u2014': '-',
  '\u2015': '-',
  '\u2212': '-',
  '\u00a0': ' ',
  '\u2002': ' ',
  '\u2003': ' ',
  '\u2009': ' ',
  '\u202f': ' ',
  '\u3000': ' ',
};

/** Quotes, dashes and spaces of all kinds as their plain ones. */
export const plainCharacters = (text: string): string =>
  text.replace(
    /[\u00a0\u2002\u2003\u2009\u2010-\u2015\u2018-\u201e\u202f\u2212\u3000]/g,
    (one) => PLAIN[one] ?? one,
  );

const collapsed = (line: string): string => line.trim().replace(/\s+/g, ' ');

/** How two lines are compared, from strict to lenient. */
export const LINE_LIKENESS: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  collapsed,
  (line) => collapsed(plainCharacters(line)),
];
