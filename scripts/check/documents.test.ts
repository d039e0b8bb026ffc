import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { documentViolations } from './documents.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hermes-documents-'));
  plant('package.json', '{"name":"planted","type":"module","imports":{"#kit/*":"./src/kit/*.ts"}}');
  plant('src/kit/shout.ts', 'export const shout = (text: string): string => text.toUpperCase();\n');
  symlinkSync(join(import.meta.dirname, '..', '..', 'node_modules'), join(root, 'node_modules'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function plant(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const GOOD = `# The kit

\`src/kit/shout.ts\`, or \`shout.ts\`, or \`src/kit/<name>.ts\`; see [above](#the-kit) and [the same](README.md#the-kit).
What follows is \`src/kit/whisper.ts\`:

\`\`\`ts
import { shout } from '#kit/shout';
import { shout as same } from './shout.ts';

shout(words) === same(words);
\`\`\`
`;

describe('the check of documents', () => {
  it('passes what exists, what stands for anything, and names that a snippet leaves open', () => {
    plant('src/kit/README.md', GOOD);
    expect(documentViolations(root)).toEqual([]);
  });

  it.each([
    ['a path', 'See `src/kit/migrations.ts`.', 'src/kit/README.md:1: there is no src/kit/migrations.ts'],
    ['a source file', 'See\n`migrations.ts`.', 'src/kit/README.md:2: there is no migrations.ts'],
    ['a pattern', '`src/kit/<name>.tsx`', 'src/kit/README.md:1: there is no src/kit/<name>.tsx'],
    ['a command', '```sh\nnpm test src/engines\n```', 'src/kit/README.md:2: there is no src/engines'],
    ['a link', '[kit](../docs/kit.md)', 'src/kit/README.md:1: there is no src/docs/kit.md'],
    ['a heading', '# Kit\n[kit](#tool)', 'src/kit/README.md:2: src/kit/README.md has no heading #tool'],
  ])('finds %s that is not there', (_, text, found) => {
    plant('src/kit/README.md', `${text}\n`);
    expect(documentViolations(root)).toEqual([found]);
  });

  it.each([
    [
      'imports what is not exported',
      "import { whisper } from '#kit/shout';",
      /has no exported member 'whisper'/,
    ],
    ['imports a file that is not there', "import { a } from './whisper.ts';", /Cannot find module/],
    [
      'hands over the wrong thing',
      "import { shout } from '#kit/shout';\nshout(3);",
      /README\.md:3: Argument/,
    ],
    ['does not parse', 'const = 3;', /expected/],
  ])('finds a snippet that %s', (_, code, found) => {
    plant('src/kit/README.md', `\`\`\`ts\n${code}\n\`\`\`\n`);
    expect(documentViolations(root)).toEqual([expect.stringMatching(found)]);
  });

  it('leaves the history alone', () => {
    plant('CHANGELOG.md', '- `src/kit/old.ts` is gone.\n');
    expect(documentViolations(root)).toEqual([]);
  });
});
