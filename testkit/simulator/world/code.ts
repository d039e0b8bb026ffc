import type { Random } from '../random.ts';

/** What a commit does to the code: the first four do harm. */
export type CodeNature =
  | 'exception'
  | 'query'
  | 'leak'
  | 'dropped'
  | 'docs'
  | 'test'
  | 'bump'
  | 'log'
  | 'refactor'
  | 'feature';

export interface CodeScene {
  readonly service: string;
  readonly words: readonly string[];
  readonly symbol: string;
  readonly random: Random;
}

export interface Code {
  readonly summary: string;
  readonly files: readonly string[];
  readonly diff: string;
}

const VERBS = [
  'resolve',
  'build',
  'load',
  'apply',
  'merge',
  'convert',
  'validate',
  'compute',
  'render',
  'fetch',
];
const big = (word: string): string => `${word[0]?.toUpperCase()}${word.slice(1)}`;

/** A function of a program, such as complaints and hunks name. */
export const drawSymbol = (words: readonly string[], random: Random): string =>
  `${random.pick(VERBS)}${big(random.pick(words))}${random.chance(0.4) ? big(random.pick(words)) : ''}`;

type Write = (parts: { symbol: string; word: string; other: string; random: Random }) => {
  summary: string;
  body: string;
};

/** Each nature has several ways of being written, and some harmful ones look harmless. */
const NATURES: Readonly<Record<CodeNature, readonly Write[]>> = {
  exception: [
    ({ symbol, word }) => ({
      summary: `simplify ${symbol}`,
      body: `-  if (${word} == null) return fallback(${word});\n   const value = ${symbol}(${word});\n+  const ${word}Id = value.${word}.id;`,
    }),
    ({ symbol, word, other }) => ({
      summary: `feat: ${word} by ${other}`,
      body: `@@ ${symbol}\n+  const entry = table[${word}.${other}];\n+  return entry.${word}.trim();`,
    }),
    ({ symbol, word }) => ({
      summary: `cleanup around ${word}`,
      body: `@@ ${symbol}\n-  const amount = parse(${word}) ?? 0;\n+  const amount = Number.parse(${word});`,
    }),
  ],
  query: [
    ({ symbol, word, other }) => ({
      summary: `include ${other} in ${word} responses`,
      body: `@@ ${symbol}\n-  const ${other}s = await repo.byIds(ids);\n+  for (const id of ids) {\n+    ${other}s.push(await repo.byId(id));\n+  }`,
    }),
    ({ symbol, word }) => ({
      summary: `sort ${word} on the server`,
      body: `@@ ${symbol}\n-  limit: PAGE,\n+  orderBy: 'lower(${word})',`,
    }),
  ],
  leak: [
    ({ symbol, word }) => ({
      summary: `remember recent ${word}`,
      body: `@@ ${symbol}\n+const seen${big(word)} = new Map();\n+  seen${big(word)}.set(key, payload);`,
    }),
    ({ symbol, word }) => ({
      summary: `subscribe ${word} listeners lazily`,
      body: `@@ ${symbol}\n-  return () => bus.off('${word}', handler);\n+  bus.on('${word}', handler);`,
    }),
  ],
  dropped: [
    ({ symbol, word, other }) => ({
      summary: `skip ${other} when ${word} is unchanged`,
      body: `@@ ${symbol}\n+  if (!${word}.changed) return;\n   await ${other}Client.send(${word});`,
    }),
    ({ symbol, word }) => ({
      summary: `refactor: ${word} flow`,
      body: `@@ ${symbol}\n-  await notify${big(word)}(event);\n   return event;`,
    }),
  ],
  docs: [
    ({ word }) => ({ summary: `docs: explain ${word}`, body: `+The ${word} is kept until it is replaced.` }),
  ],
  test: [
    ({ symbol, word }) => ({
      summary: `test: cover ${word}`,
      body: `+  it('keeps the ${word}', () => {\n+    expect(${symbol}(sample)).toBeDefined();\n+  });`,
    }),
  ],
  bump: [
    ({ random }) => ({
      summary: 'chore: update dependencies',
      body: `-  "http-client": "4.${random.int(0, 9)}.1",\n+  "http-client": "4.${random.int(10, 19)}.0",`,
    }),
  ],
  log: [
    ({ symbol, word }) => ({
      summary: `log ${word} with its id`,
      body: `@@ ${symbol}\n-  log.info('${word} done');\n+  log.info('${word} done', { id });`,
    }),
  ],
  refactor: [
    ({ symbol, word, other }) => ({
      summary: `refactor: move ${word} out of ${other}`,
      body: `@@ ${symbol}\n-  const ${word} = inline${big(other)}(input);\n+  const ${word} = ${symbol}(input);`,
    }),
    ({ symbol, word }) => ({
      summary: `rename ${word} helper`,
      body: `-export function ${word}Helper(input) {\n+export function ${symbol}(input) {`,
    }),
  ],
  feature: [
    ({ symbol, word, other }) => ({
      summary: `feat: ${other} for ${word}`,
      body: `@@ ${symbol}\n+  if (options.${other}) {\n+    result.${other} = format(${word});\n+  }`,
    }),
    ({ symbol, word }) => ({
      summary: `allow empty ${word}`,
      body: `@@ ${symbol}\n+  if (${word} === '') return undefined;`,
    }),
  ],
};

const FOLDER: Partial<Record<CodeNature, readonly [string, string]>> = {
  docs: ['docs', 'md'],
  test: ['test', 'test.ts'],
  bump: ['.', 'package.json'],
};

export function drawCode(nature: CodeNature, { service, words, symbol, random }: CodeScene): Code {
  const [word = 'item', other = 'part'] = random.some(words, 2);
  const { summary, body } = random.pick(NATURES[nature])({ symbol, word, other, random });
  const [folder, ending] = FOLDER[nature] ?? [
    random.pick([`services/${service}`, `src/${word}`, 'internal', `apps/${service}/lib`]),
    random.pick(['ts', 'go', 'py', 'java']),
  ];
  const file =
    nature === 'bump' ? 'package.json' : `${folder}/${random.chance(0.5) ? word : symbol}.${ending}`;
  return {
    summary: random.chance(0.3) && !summary.includes(':') ? `${service}: ${summary}` : summary,
    files: [file],
    diff: `@@ ${file} @@\n${body}`,
  };
}
