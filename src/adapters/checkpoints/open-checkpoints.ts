import { createHash, randomBytes } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { fail } from '#kit/app-error';
import { cutMiddle } from '#kit/cut-middle';
import type { CheckpointCause, CheckpointDiff, Checkpoints, RestoreReport } from '#spec/ports';
import { type ListLimits, listFiles } from './list-files.ts';
import { restoreFiles } from './restore-files.ts';
import { realPathOf } from '#adapters/io/real-path';
import { nulParts } from './run-git.ts';
import { openShadowRepository, type ShadowRepository, type StoredCheckpoint } from './shadow-repository.ts';

export interface CheckpointOptions {
  readonly workspace: string;
  /** Where the repositories are kept, one for each workspace. */
  readonly folder: string;
  /** The path of the program. */
  readonly git: string;
  /** Absolute paths inside of the workspace that are not part of it: the home of Hermes, if it lies there. */
  readonly hidden?: readonly string[];
  readonly keep?: number;
  readonly limits?: Partial<ListLimits>;
}

const LIMITS: ListLimits = { files: 50_000, bytes: 1024 ** 3, fileBytes: 20 * 1024 ** 2 };
const KEEP = 50;
const TIDY_EVERY = 20;
const DIFF_CHARS = 20_000;

/** Checkpoints in a git repository of our own. The workspace's `.git`, if it has one, is neither read nor written. */
export async function openCheckpoints(options: CheckpointOptions): Promise<Checkpoints> {
  const { git, keep = KEEP, limits } = options;
  const workspace = await realpath(options.workspace);
  // Compared with what is found below the workspace: a link on the way to them must not make them part of it.
  const hidden = await Promise.all(
    [options.folder, ...(options.hidden ?? [])].map((path) => realPathOf(path)),
  );
  const gitDir = join(options.folder, createHash('sha256').update(workspace).digest('hex').slice(0, 24));
  const files = () => listFiles(workspace, hidden, { ...LIMITS, ...limits });
  let opened: Promise<ShadowRepository> | undefined;
  const repository = () => (opened ??= openShadowRepository({ git, gitDir, workspace }));
  const inOrder = oneAtATime();

  /** `spared`: what is gone back to just now stays, however old it is. */
  const capture = async (cause: CheckpointCause, spared?: string): Promise<{ id: string; tree: string }> => {
    const shadow = await repository();
    const tree = await shadow.treeOf((await files()).files);
    const [newest, ...older] = await shadow.list();
    if (newest?.tree === tree && (await shadow.addCause(newest, cause))) return { id: newest.id, tree };
    const id = await shadow.add(tree, await countChanges(shadow, newest?.tree, tree), cause);
    await tidy(shadow, newest ? [newest, ...older] : [], keep, spared);
    return { id, tree };
  };

  return {
    take: (cause) => inOrder(async () => (await capture(cause)).id),
    list: () => inOrder(async () => (await (await repository()).list()).map(shown)),
    diff: (id, path) =>
      inOrder(async () => {
        const shadow = await repository();
        const found = (await shadow.list()).find((checkpoint) => checkpoint.id === id);
        if (!found) return undefined;
        const now = await shadow.treeOf((await files()).files);
        const inside = insidePath(path);
        return {
          changes: await changesOf(shadow, now, found.tree, inside),
          text: await textOf(shadow, now, found.tree, inside),
        };
      }),
    restore: (id, session, path) =>
      inOrder(async (): Promise<RestoreReport | undefined> => {
        const shadow = await repository();
        const found = (await shadow.list()).find((checkpoint) => checkpoint.id === id);
        if (!found) return undefined;
        const inside = insidePath(path);
        const now = await shadow.treeOf((await files()).files);
        // What changes nothing is nothing to be undone: the way back stays the one of the last that did.
        if ((await changesOf(shadow, now, found.tree, inside)).length === 0)
          return { restored: [], removed: [], failed: [], before: id };
        const before = await capture({ kind: 'rollback', to: id, session }, id);
        const changes = await changesOf(shadow, before.tree, found.tree, inside);
        const index = join(gitDir, `restore-${randomBytes(6).toString('hex')}`);
        const plan = {
          tree: found.tree,
          remove: changes.filter(({ kind }) => kind === 'removed').map((change) => change.path),
          write: changes.filter(({ kind }) => kind !== 'removed').map((change) => change.path),
        };
        return { ...(await restoreFiles(shadow.run, workspace, index, plan)), before: before.id };
      }),
    leftOut: () => inOrder(async () => (await files()).leftOut),
  };
}

const shown = ({ id, at, changed, before }: StoredCheckpoint) => ({ id, at, changed, before });

/** The index of the repository is one: of two calls the second waits. */
function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next;
    return next;
  };
}

async function countChanges(shadow: ShadowRepository, from: string | undefined, to: string): Promise<number> {
  const args = from
    ? ['diff-tree', '-r', '-z', '--name-only', from, to]
    : ['ls-tree', '-r', '-z', '--name-only', to];
  return nulParts(await shadow.run(args)).length;
}

const KINDS = { A: 'added', D: 'removed' } as const;

const scopeOf = (path: string | undefined): string[] => (path === undefined ? [] : ['--', path]);

async function changesOf(
  shadow: ShadowRepository,
  from: string,
  to: string,
  path: string | undefined,
): Promise<CheckpointDiff['changes']> {
  const names = nulParts(
    await shadow.run(['diff-tree', '-r', '-z', '--no-renames', '--name-status', from, to, ...scopeOf(path)]),
  );
  const changes: CheckpointDiff['changes'][number][] = [];
  for (let at = 0; at + 1 < names.length; at += 2) {
    const status = names[at] ?? '';
    const kind = status === 'A' || status === 'D' ? KINDS[status] : ('changed' as const);
    changes.push({ path: names[at + 1] ?? '', kind });
  }
  return changes;
}

async function textOf(
  shadow: ShadowRepository,
  from: string,
  to: string,
  path: string | undefined,
): Promise<string> {
  const plain = ['diff-tree', '-r', '-p', '--no-renames', '--no-color', '--no-ext-diff', '--no-textconv'];
  return cutMiddle(await shadow.run([...plain, from, to, ...scopeOf(path)]), DIFF_CHARS);
}

/** A path below the workspace, as git writes it. */
function insidePath(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const plain = posix.normalize(path.replaceAll('\\', '/')).replace(/\/$/, '');
  if (plain === '.' || plain === '') return undefined;
  if (plain.startsWith('/') || plain === '..' || plain.startsWith('../'))
    throw fail('input.invalid', `${path} is not a path inside the workspace`);
  return plain;
}

/** Drops what is too old, and from time to time what only those had. */
async function tidy(
  shadow: ShadowRepository,
  older: readonly StoredCheckpoint[],
  keep: number,
  spared: string | undefined,
): Promise<void> {
  await shadow.remove(older.slice(Math.max(0, keep - 1)).filter(({ id }) => id !== spared));
  const newest = Number(older[0]?.id.slice(1) ?? 0) + 1;
  if (newest % TIDY_EVERY === 0) await shadow.tidy();
}
