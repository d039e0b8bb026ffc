import { z } from 'zod';
import { AppError } from '#kit/app-error';
import { dropHidden } from '#kit/hidden-characters';
import { defineTool, type Files, type ToolContext, type ToolResult } from '#spec/ports';
import { between, type ChangelogEntry, parseChangelog } from './changelog.ts';
import { ECOSYSTEMS, type Ecosystem } from './manifests.ts';
import {
  GITHUB_HOSTS,
  packageFacts,
  type PackageFacts,
  REGISTRIES,
  repositoryChangelog,
} from './package-registry.ts';
import { textIfAny } from '../read-text.ts';
import { compareVersions, parseVersion } from './versions.ts';
import { answer, count, refusal } from '../../text/answer.ts';
import { hostOf } from '../../services/host-of.ts';

const MOST_ENTRIES = 100;
const MOST_SHOWN = 12_000;

const input = z.strictObject({
  package: z
    .string()
    .min(1)
    .max(200)
    .regex(/^[@\w][\w./@-]*$/, 'a name of a package'),
  from_version: z.string().max(50).optional(),
  to_version: z.string().max(50).default('latest'),
  ecosystem: z.enum(ECOSYSTEMS).optional().describe('default: by where it is installed, otherwise npm'),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'fetch_changelog',
  toolset: 'actions',
  description:
    'What changed in a package between two versions: from the installed copy, its registry and GitHub.',
  input,
  deferred: true,
  effect: () => 0,
  level: 0,
  footprint: () => ({}),
  deed: ({ ecosystem }) => ({
    sendsTo: [...(ecosystem ? [REGISTRIES[ecosystem]] : Object.values(REGISTRIES)), ...GITHUB_HOSTS].map(
      hostOf,
    ),
    brings: ['untrusted'],
  }),
  maxChars: 20_000,
  run: fetchChangelog,
});

interface Found {
  readonly source: string;
  readonly entries: readonly ChangelogEntry[];
}

async function fetchChangelog(asked: Input, context: ToolContext): Promise<ToolResult> {
  const local = await localChangelog(asked.package, context.files);
  const exact = asked.to_version === 'latest' ? undefined : asked.to_version;
  if (local && exact !== undefined && tells(local, exact)) return report(asked, local, exact, undefined, []);
  const ecosystem = asked.ecosystem ?? local?.ecosystem ?? 'npm';
  const notes: string[] = [];
  const facts = await orNote(notes, () => packageFacts(asked.package, ecosystem, context));
  const to = exact ?? facts?.latest;
  if (local && to !== undefined && tells(local, to)) return report(asked, local, to, facts, notes);
  const remote =
    facts?.repository === undefined
      ? undefined
      : await orNote(notes, () => repositoryChangelog(facts.repository ?? '', context));
  const found = remote ?? local;
  if (!found) return refusal([`There is no changelog of ${asked.package} to be found.`, ...notes].join('\n'));
  return report(asked, found, to ?? newest(found), facts, notes);
}

const tells = ({ entries }: Found, version: string): boolean =>
  entries.some((entry) => compareVersions(entry.version, version) === 0);
const newest = ({ entries }: Found): string =>
  entries.toSorted((a, b) => compareVersions(b.version, a.version))[0]?.version ?? '';

/** What cannot be reached is told, and the rest goes on without it. */
async function orNote<T>(notes: string[], ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    notes.push(error.message);
    return undefined;
  }
}

/** The changelog that came with the installed copy; of the project itself, its own. */
async function localChangelog(
  name: string,
  files: Files,
): Promise<(Found & { readonly ecosystem: Ecosystem | undefined }) | undefined> {
  const own = /"name"\s*:\s*"([^"]+)"/.exec((await textIfAny(files, 'package.json')) ?? '')?.[1];
  const folders: (readonly [string, Ecosystem | undefined])[] = [
    [`node_modules/${name}/`, 'npm'],
    [`vendor/${name}/`, 'go'],
    ...(own === name ? [['', 'npm'] as const] : []),
  ];
  for (const [folder, ecosystem] of folders)
    for (const file of ['CHANGELOG.md', 'CHANGES.md', 'HISTORY.md', 'changelog.md']) {
      const text = await textIfAny(files, `${folder}${file}`, 4_000_000);
      const entries = text === undefined ? [] : parseChangelog(text);
      if (entries.length > 0) return { source: `${folder}${file}`, entries, ecosystem };
    }
  return undefined;
}

function report(
  { package: name, from_version: from }: Input,
  { source, entries }: Found,
  to: string,
  facts: PackageFacts | undefined,
  notes: readonly string[],
): ToolResult {
  const chosen = between(entries, from, to)
    .slice(0, MOST_ENTRIES)
    .map((entry) => ({ ...entry, text: dropHidden(entry.text) }));
  const major = (version: string | undefined) => parseVersion(version ?? '')?.[0];
  const [before, after] = [major(from), major(to)];
  const text = chosen.map(
    (entry) => `## ${entry.version}${entry.date ? ` (${entry.date})` : ''}\n${entry.text}`,
  );
  const head = `${name} ${from ?? 'start'} → ${to}: ${count(chosen.length, 'release')} (${source})`;
  return answer(
    [head, ...notes.map((note) => `[${note}]`), text.join('\n\n').slice(0, MOST_SHOWN)].join('\n'),
    head,
    {
      package: name,
      from_version: from ?? null,
      to_version: to,
      latest: facts?.latest ?? null,
      repository: facts?.repository ?? null,
      entries: chosen,
      count: chosen.length,
      source,
      major_change: before !== undefined && after !== undefined && after > before,
      /** Whether the newest version is told about at all. */
      complete: tells({ source, entries }, to),
      notes,
    },
  );
}
