import { z } from 'zod';
import { dropHidden } from '#kit/hidden-characters';
import { scanContext } from '#kit/scan-context';
import { defineTool, type Files, type ToolContext, type ToolResult } from '#spec/ports';
import { lintRules, statedConventions } from './conventions.ts';
import { textIfAny } from '../read-text.ts';
import { answer, count } from '../../text/answer.ts';

const DOCUMENTS = [
  'AGENTS.md',
  '.hermes.md',
  'CONTRIBUTING.md',
  '.github/CONTRIBUTING.md',
  'docs/CONTRIBUTING.md',
  'STYLE.md',
  'docs/style.md',
];
const SETTINGS = [
  '.editorconfig',
  '.prettierrc',
  '.prettierrc.json',
  'biome.json',
  '.eslintrc.json',
  'pyproject.toml',
  'ruff.toml',
  'setup.cfg',
  'rustfmt.toml',
  '.golangci.yml',
  'tsconfig.json',
  'package.json',
];
const MOST_STATED = 80;

const input = z.strictObject({ path: z.string().min(1).default('.').describe('folder of the project') });
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'fetch_conventions',
  toolset: 'actions',
  description:
    'The conventions of a project, from its AGENTS.md, CONTRIBUTING and settings of formatters and linters.',
  input,
  deferred: true,
  effect: () => 0,
  footprint: ({ path }) => ({ reads: [path] }),
  run: fetchConventions,
});

async function fetchConventions({ path }: Input, { files }: ToolContext): Promise<ToolResult> {
  const [documents, settings] = await Promise.all([
    readAll(files, path, DOCUMENTS),
    readAll(files, path, SETTINGS),
  ]);
  const rules = Object.assign({}, ...settings.map(({ name, text }) => lintRules(name, text))) as ReturnType<
    typeof lintRules
  >;
  // A line that gives orders to its reader is no convention.
  const told = documents.flatMap(({ text }) => statedConventions(dropHidden(text)));
  const harmless = told.filter((line) => scanContext(line).threats.length === 0);
  const stated = harmless.slice(0, MOST_STATED);
  const fromRules = Object.entries(rules).map(([name, value]) => `${name.replaceAll('_', ' ')}: ${value}`);
  const conventions = [...fromRules, ...stated];
  const sources = [
    ...documents.map(({ name }) => name),
    ...settings.filter(hasRules).map(({ name }) => name),
  ];
  const text = conventions.map((line) => `- ${line}`).join('\n') || 'The project states no conventions.';
  return answer(text, `${count(conventions.length, 'convention')} from ${sources.join(', ') || 'nowhere'}`, {
    conventions,
    rules,
    sources,
    count: conventions.length,
    left_out: told.length - harmless.length,
    text,
  });
}

const hasRules = ({ name, text }: { readonly name: string; readonly text: string }): boolean =>
  Object.keys(lintRules(name, text)).length > 0;

async function readAll(files: Files, folder: string, names: readonly string[]) {
  const found = await Promise.all(
    names.map(async (name) => ({ name, text: await textIfAny(files, `${folder}/${name}`, 500_000) })),
  );
  return found.flatMap(({ name, text }) => (text === undefined ? [] : [{ name, text }]));
}
