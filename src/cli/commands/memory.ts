import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import pc from 'picocolors';
import { approveMemoryWrite, rejectMemoryWrite, undoNotebook, waitingWrites } from '#app/memory';
import { embedderState, setUpEmbedder } from '#host/memory/embedder';
import type { Host } from '#host';
import { localView } from '#app/terminal';
import { rulesOf } from '#app/incidents';
import { fail } from '#kit/app-error';
import { nearest } from '#kit/nearest';
import { MEMORY_KINDS, type MemoryEntry, type MemoryKind } from '#spec/data';
import { type CliContext, defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { table } from '../table.ts';
import { wholeNumber } from '../whole-number.ts';
import { withHost } from '../with-host.ts';

type Needs = Pick<Host, 'memory'>;

interface Limits {
  readonly limit: number;
}

export const command = defineCommand({
  summary: {
    en: 'what is remembered: list, search, edit, forget, approve, export',
    zh: '记忆:查看、搜索、编辑、遗忘、确认、导出',
  },
  build: (cli, run, context) => {
    const { memory: text } = context.text;
    const act = withHost(run, context);
    cli.helpCommand(false);
    cli
      .command('status', { isDefault: true })
      .description(text.status)
      .action(() => act((host) => status(host, context)));
    cli
      .command('list')
      .description(text.list)
      .option('-k, --kind <kind>', text.kind)
      .option('-n, --limit <number>', text.limit, wholeNumber('--limit', context), 30)
      .option('--forgotten', text.onlyForgotten)
      .action((options: Limits & { kind?: string; forgotten?: boolean }) =>
        act((host) => list(host, options, context)),
      );
    cli
      .command('search <query...>')
      .description(text.search)
      .option('-e, --explain', text.explain)
      .option('-n, --limit <number>', text.limit, wholeNumber('--limit', context), 8)
      .action((words: string[], options: Limits & { explain?: boolean }) =>
        act((host) => search(host, words.join(' '), options, context)),
      );
    cli
      .command('show <id>')
      .description(text.show)
      .action((id: string) => act((host) => show(host, id, context)));
    cli
      .command('add <text...>')
      .description(text.add)
      .option('-k, --kind <kind>', text.kind, 'fact')
      .option('--key <key>', text.key)
      .action((words: string[], options: { kind: string; key?: string }) =>
        act((host) => add(host, words.join(' '), options, context)),
      );
    cli
      .command('edit <id> <text...>')
      .description(text.edit)
      .action((id: string, words: string[]) => act((host) => edit(host, id, words.join(' '), context)));
    cli
      .command('forget <ids...>')
      .description(text.forget)
      .option('--erase', text.erase)
      .action((ids: string[], { erase }: { erase?: boolean }) =>
        act((host) => forget(host, ids, erase ?? false, context)),
      );
    cli
      .command('restore <ids...>')
      .description(text.restore)
      .action((ids: string[]) => act((host) => restore(host, ids, context)));
    cli
      .command('feedback <id>')
      .description(text.feedback)
      .option('--no-helpful', text.no)
      .action((id: string, { helpful }: { helpful: boolean }) =>
        act((host) => feedback(host, id, helpful, context)),
      );
    cli
      .command('history <notebook>')
      .description(text.history)
      .option('--erase', text.eraseHistory)
      .action((name: string, { erase }: { erase?: boolean }) =>
        act((host) => history(host, notebookOf(name), erase ?? false, context)),
      );
    cli
      .command('undo <notebook> [version]')
      .description(text.undo)
      .action((name: string, version: string | undefined) =>
        act((host) => undo(host, notebookOf(name), version, context)),
      );
    cli
      .command('export')
      .description(text.export)
      .action(() => act((host) => exportAll(host, context)));
    cli
      .command('import <file>')
      .description(text.import)
      .action((file: string) => act((host) => importFile(host, file, context)));
    cli
      .command('pending')
      .description(text.pending)
      .action(() => act((host) => pending(host, context)));
    for (const verb of ['approve', 'reject'] as const)
      cli
        .command(`${verb} <ids...>`)
        .description(text[verb])
        .action((ids: string[]) => act((host) => settle(host, verb, ids, context)));
    cli
      .command('rules [words...]')
      .description(text.rules)
      .action((words: string[]) =>
        act(async (host) => {
          context.stdout.write(`${await rulesOf(host, words.join(' '), context.language)}\n`);
          return EXIT.ok;
        }),
      );
    cli
      .command('cleanup')
      .description(text.cleanup)
      .option('--days <number>', text.days, wholeNumber('--days', context))
      .option('-a, --all', text.all)
      .action((options: { days?: number; all?: boolean }) => act((host) => cleanup(host, options, context)));
    cli
      .command('setup')
      .description(text.setup)
      .action(() => act((host) => setup(host, context)));
    const user = cli.command('user').description(text.user);
    user
      .command('show', { isDefault: true })
      .description(text.userShow)
      .action(() => act((host) => showUser(host, context)));
    user
      .command('set <path> <value...>')
      .description(text.userSet)
      .action((path: string, words: string[]) =>
        act((host) => setUser(host, path, words.join(' '), context)),
      );
    user
      .command('erase [path]')
      .description(text.userErase)
      .action((path: string | undefined) => act((host) => eraseUser(host, path, context)));
  },
});

const view = localView();
const NOTEBOOKS = ['memory', 'user', 'service', 'fault', 'habit'] as const;
type NotebookName = (typeof NOTEBOOKS)[number];
const TAKEN_UP = 500;
const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
const open = (host: Needs, { language }: CliContext) => host.memory(language);

async function status(host: Pick<Host, 'home' | 'loaded' | 'memory'>, context: CliContext): Promise<number> {
  const { stdout, text } = context;
  const { notebooks, store } = await open(host, context);
  for (const { file, used, limit, entries } of await notebookUse(notebooks)) {
    const share = Math.round((used / limit) * 100);
    stdout.write(
      `${file.padEnd(24)} ${bar(used / limit)} ${String(share).padStart(3)} %  ${used}/${limit}  ${entries}\n`,
    );
  }
  stdout.write(`${text.memory.entries(await store.count())}\n`);
  stdout.write(`${text.memory.vectors[(await embedderState(host)).state]}\n`);
  const waiting = await waitingWrites(host, view, context.language);
  if (waiting.length) stdout.write(`${text.memory.waiting(waiting.length)}\n`);
  return EXIT.ok;
}

const bar = (share: number): string => {
  const full = Math.min(20, Math.round(share * 20));
  return `${'█'.repeat(full)}${pc.dim('░'.repeat(20 - full))}`;
};

async function notebookUse(notebooks: Awaited<ReturnType<Host['memory']>>['notebooks']) {
  return Promise.all(
    NOTEBOOKS.map(async (name) => {
      const { place, entries } = await notebooks.read(view, name);
      return {
        file: place.file,
        limit: place.limit,
        used: entries.join('\n§\n').length,
        entries: entries.length,
      };
    }),
  );
}

async function list(
  host: Needs,
  { kind, limit, forgotten }: Limits & { kind?: string; forgotten?: boolean },
  context: CliContext,
): Promise<number> {
  const { memory } = await open(host, context);
  const kinds = kind ? { kinds: [kindOf(kind)] } : {};
  const states = forgotten ? { states: ['forgotten' as const] } : {};
  const found = await memory.list(view, { ...kinds, ...states, limit: limit });
  context.stdout.write(found.length ? `${table(found.map(row))}\n` : `${context.text.memory.none}\n`);
  return EXIT.ok;
}

const row = ({ id, kind, at, text, trust }: MemoryEntry): string[] => [
  pc.dim(id),
  pc.dim(day(at)),
  kind,
  pc.dim(trust.toFixed(1)),
  oneLine(text),
];

const oneLine = (text: string): string => {
  const flat = text.replace(/\s+/g, ' ');
  return flat.length > 110 ? `${flat.slice(0, 109)}…` : flat;
};

async function search(
  host: Pick<Host, 'home' | 'loaded' | 'memory'>,
  query: string,
  { explain = false, limit }: Limits & { explain?: boolean },
  context: CliContext,
): Promise<number> {
  const { memory, takeNotices } = await open(host, context);
  // What was written since the last conversation has no vectors yet.
  await memory.indexPending({ most: TAKEN_UP, signal: context.signal });
  const found = await memory.recall(query, view, { limit: limit, explain, signal: context.signal });
  await memory.shown(found.map(({ entry }) => entry.id));
  const { state } = await embedderState(host);
  const lacking = state === 'ready' ? [] : [context.text.memory.vectors[state]];
  for (const notice of [...lacking, ...takeNotices()]) context.stderr.write(`${pc.dim(notice)}\n`);
  if (!found.length) context.stdout.write(`${context.text.memory.nothingFound}\n`);
  for (const { entry, score, breakdown } of found) {
    context.stdout.write(`${pc.bold(score.toFixed(3))}  ${row(entry).join('  ')}\n`);
    if (breakdown) {
      const parts = Object.entries(breakdown).map(
        ([name, value]) => `${name} ${(value as number).toFixed(3)}`,
      );
      context.stdout.write(`       ${pc.dim(parts.join('  '))}\n`);
    }
  }
  return EXIT.ok;
}

async function show(host: Needs, id: string, context: CliContext): Promise<number> {
  const { memory } = await open(host, context);
  for (const entry of await memory.history(id, view)) {
    const { version, state, provenance, accesses, text, key } = entry;
    const head = `${entry.id}  ${context.text.memory.version} ${version}  ${entry.kind}  ${state}  ${day(entry.updatedAt)}`;
    const from = [provenance.by, provenance.session].filter(Boolean).join(' ');
    context.stdout.write(
      `${pc.bold(head)}  ${pc.dim(`${context.text.memory.trust} ${entry.trust.toFixed(2)}  ×${accesses}  ${from}${key ? `  ${key}` : ''}`)}\n${text}\n\n`,
    );
  }
  return EXIT.ok;
}

async function history(
  host: Needs,
  name: NotebookName,
  erase: boolean,
  context: CliContext,
): Promise<number> {
  const { stdout, text } = context;
  const { notebooks } = await open(host, context);
  const { file } = (await notebooks.read(view, name)).place;
  if (erase) {
    await notebooks.eraseHistory(view, name);
    stdout.write(`${text.memory.historyErased(file)}\n`);
    return EXIT.ok;
  }
  const versions = await notebooks.history(view, name);
  if (!versions.length) stdout.write(`${text.memory.noHistory(file)}\n`);
  for (const { version, until, entries } of versions) {
    const head = `${file}  ${text.memory.version} ${version}`;
    const when = `${text.memory.until} ${new Date(until).toISOString()}`;
    stdout.write(
      `${pc.bold(head)}  ${pc.dim(when)}\n${entries.join('\n§\n') || text.memory.emptyNotebook}\n\n`,
    );
  }
  return EXIT.ok;
}

async function undo(
  host: Needs,
  name: NotebookName,
  asked: string | undefined,
  context: CliContext,
): Promise<number> {
  const { language, stdout } = context;
  const version = asked === undefined ? undefined : wholeNumber('[version]', context)(asked);
  stdout.write(`${await undoNotebook(host, view, { name, version, language })}\n`);
  return EXIT.ok;
}

const kindOf = (asked: string): MemoryKind => oneOf('kind', MEMORY_KINDS, asked);
const notebookOf = (asked: string): NotebookName => oneOf('notebook', NOTEBOOKS, asked);

function oneOf<T extends string>(what: string, all: readonly T[], asked: string): T {
  const known = all.find((one) => one === asked);
  if (known) return known;
  const meant = nearest(asked, all);
  throw fail(
    'input.invalid',
    `there is no ${what} '${asked}'`,
    meant ? `did you mean ${meant}?` : all.join(', '),
  );
}

async function add(
  host: Needs,
  text: string,
  { kind, key }: { kind: string; key?: string },
  context: CliContext,
): Promise<number> {
  const { memory } = await open(host, context);
  const telling = { kind: kindOf(kind), text, provenance: { by: 'user' as const }, ...(key ? { key } : {}) };
  return tell(await memory.remember(telling, view), context);
}

async function edit(host: Needs, id: string, text: string, context: CliContext): Promise<number> {
  const { memory } = await open(host, context);
  return tell(await memory.edit(id, text, view), context);
}

type Kept = Awaited<ReturnType<Awaited<ReturnType<Host['memory']>>['memory']['remember']>>;

function tell(kept: Kept, { text, stdout }: CliContext): number {
  if (kept.status === 'refused') throw fail('input.invalid', text.memory.refused(kept.why));
  stdout.write(`${text.memory.remembered[kept.status]}  ${pc.dim(kept.entry.id)}\n`);
  return EXIT.ok;
}

async function forget(
  host: Needs,
  ids: readonly string[],
  erase: boolean,
  context: CliContext,
): Promise<number> {
  const { memory } = await open(host, context);
  const count = await memory.forget(ids, view, { erase });
  context.stdout.write(`${context.text.memory[erase ? 'erased' : 'forgotten'](count)}\n`);
  return EXIT.ok;
}

async function restore(host: Needs, ids: readonly string[], context: CliContext): Promise<number> {
  const { memory } = await open(host, context);
  context.stdout.write(`${context.text.memory.restored(await memory.restore(ids, view))}\n`);
  return EXIT.ok;
}

async function feedback(host: Needs, id: string, helpful: boolean, context: CliContext): Promise<number> {
  const { memory } = await open(host, context);
  const { trust } = await memory.feedback(id, helpful, view);
  context.stdout.write(`${context.text.memory.trust} ${trust.toFixed(2)}\n`);
  return EXIT.ok;
}

async function exportAll(host: Needs, context: CliContext): Promise<number> {
  const { memory } = await open(host, context);
  for await (const line of memory.export(view)) context.stdout.write(`${line.trimEnd()}\n`);
  return EXIT.ok;
}

async function importFile(host: Needs, file: string, context: CliContext): Promise<number> {
  const { memory } = await open(host, context);
  const readable = await stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!readable) throw fail('input.invalid', `${file} is no file that can be read`);
  const input = createReadStream(file, 'utf8');
  const { added, same, refused } = await memory.import(createInterface({ input }), view);
  context.stdout.write(`${context.text.memory.imported(added, same, refused.length)}\n`);
  for (const { line, why } of refused.slice(0, 20)) context.stderr.write(`${file}:${line}: ${why}\n`);
  return refused.length ? EXIT.failed : EXIT.ok;
}

async function pending(host: Needs, context: CliContext): Promise<number> {
  const waiting = await waitingWrites(host, view, context.language);
  if (!waiting.length) context.stdout.write(`${context.text.memory.nothingWaits}\n`);
  for (const { id, shown, why, at } of waiting)
    context.stdout.write(`${pc.bold(id)}  ${pc.dim(day(at))}  ${shown}\n    ${pc.dim(why)}\n`);
  return EXIT.ok;
}

async function settle(
  host: Pick<Host, 'memory' | 'skills'>,
  verb: 'approve' | 'reject',
  ids: readonly string[],
  context: CliContext,
): Promise<number> {
  const { language, stdout, text } = context;
  const waiting = await waitingWrites(host, view, language);
  for (const id of ids.includes('all') ? waiting.map((write) => write.id) : ids) {
    const line =
      verb === 'approve'
        ? await approveMemoryWrite(host, view, id, language)
        : text.memory.rejected(await rejectMemoryWrite(host, view, id, language));
    stdout.write(`${line}\n`);
  }
  return EXIT.ok;
}

async function cleanup(
  host: Pick<Host, 'loaded' | 'memory'>,
  { days, all }: { days?: number; all?: boolean },
  context: CliContext,
): Promise<number> {
  const { memory } = await open(host, context);
  const maxAgeDays = days === undefined ? (host.loaded.config.memory.retention_days ?? 90) : days;
  const report = await memory.cleanup({ maxAgeDays, keepFrequentlyAccessed: !all }, view);
  const { forgotten, erased, keptInUse, keptByKind } = report;
  context.stdout.write(`${context.text.memory.cleaned(forgotten, erased, keptInUse + keptByKind)}\n`);
  return EXIT.ok;
}

async function setup(
  host: Pick<Host, 'home' | 'loaded'>,
  { stdout, text, signal }: CliContext,
): Promise<number> {
  const { state } = await setUpEmbedder(host, signal, ({ step, what, bytes }) =>
    stdout.write(`${text.memory.fetching[step]} ${what} (${(bytes / 1_048_576).toFixed(0)} MB)\n`),
  );
  stdout.write(`${text.memory.vectors[state]}\n`);
  return state === 'ready' ? EXIT.ok : EXIT.failed;
}

async function showUser(host: Needs, context: CliContext): Promise<number> {
  const { text, stdout, language } = context;
  const { user } = await open(host, context);
  const fields = Object.entries(await user.show(view, language));
  if (!fields.length) stdout.write(`${text.memory.noUser}\n`);
  const source = { set: text.memory.setByYou, inferred: text.memory.inferred };
  const rows = fields.map(([field, known]) => [pc.bold(field), known.value, pc.dim(source[known.source])]);
  if (rows.length) stdout.write(`${table(rows)}\n`);
  return EXIT.ok;
}

async function setUser(host: Needs, path: string, value: string, context: CliContext): Promise<number> {
  const { user } = await open(host, context);
  await user.set(view, path, value);
  context.stdout.write(`${context.text.memory.userKept(path)}\n`);
  return EXIT.ok;
}

async function eraseUser(host: Needs, path: string | undefined, context: CliContext): Promise<number> {
  const { user } = await open(host, context);
  const erased = await user.erase(view, path);
  const { memory: text } = context.text;
  context.stdout.write(`${erased ? text.userErased(path ?? 'user-model.json') : text.nothingErased}\n`);
  return EXIT.ok;
}
