import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '#kit/is-record';
import type { Checkpoint, CheckpointCause } from '#spec/ports';
import type { ListedFile } from './list-files.ts';
import { type GitPlace, gitRunner, nulParts, type RunGit, toNul } from './run-git.ts';

const REFS = 'refs/checkpoints/';
const NONE = '0'.repeat(40);
/** Nothing takes as long: what is older was left behind by a process that was killed. */
const LEFTOVER_MS = 3_600_000;
const DIGITS = 8;
const MOST_CAUSES = 50;
/** Git compares times by the second: what changed just before it looked last is read again. */
const DOUBT_MS = 2_000;

export interface StoredCheckpoint extends Checkpoint {
  readonly ref: string;
  readonly commit: string;
  readonly tree: string;
}

/** Bytes go in and out as they are, whatever the workspace has in its `.gitattributes`. */
const ATTRIBUTES = '* -text -filter -ident -working-tree-encoding !eol !diff !merge\n';

/** What is done with the repository that lies beside the workspace; the order of calls is the caller's. */
export interface ShadowRepository {
  readonly run: RunGit;
  /** The tree of exactly these files as they are now. */
  treeOf(files: readonly ListedFile[]): Promise<string>;
  list(): Promise<readonly StoredCheckpoint[]>;
  add(tree: string, changed: number, cause: CheckpointCause): Promise<string>;
  /** One more thing that this state was taken before. False when another process was faster with its own. */
  addCause(checkpoint: StoredCheckpoint, cause: CheckpointCause): Promise<boolean>;
  remove(checkpoints: readonly StoredCheckpoint[]): Promise<void>;
  /** Gives back what no checkpoint needs; what others are just making stays. */
  tidy(): Promise<void>;
}

export async function openShadowRepository(place: GitPlace): Promise<ShadowRepository> {
  const run = gitRunner(place);
  await prepare(place, run);
  const shared = join(place.gitDir, 'index');
  return {
    run,
    async treeOf(files) {
      const index = join(place.gitDir, `work-${randomBytes(6).toString('hex')}`);
      const env = { GIT_INDEX_FILE: index };
      const settled = (await copyIndex(shared, index)) - DOUBT_MS;
      const known = new Set(files.filter(({ changedMs }) => changedMs < settled).map(({ path }) => path));
      const staged = nulParts(await run(['ls-files', '-z'], { env }));
      const forget = staged.filter((path) => !known.has(path));
      if (forget.length > 0)
        await run(['update-index', '--force-remove', '-z', '--stdin'], { env, input: toNul(forget) });
      // Files that have not changed since are known by their times and not read again.
      const update = ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'];
      await run(update, { env, input: toNul(files.map(({ path }) => path)) });
      const tree = (await run(['write-tree'], { env })).trim();
      await rename(index, shared);
      return tree;
    },
    async list() {
      const format =
        '%(refname)%00%(contents:subject)%00%(creatordate:unix)%00%(tree)%00%(contents:body)%00%(objectname)%00%00';
      const rows = await run(['for-each-ref', '--sort=-refname', `--format=${format}`, REFS]);
      return rows
        .split('\0\0\n')
        .filter((row) => row !== '')
        .map(parseRow);
    },
    async add(tree, changed, cause) {
      const commit = await commitOf(run, tree, { changed, before: [cause] });
      const newest = (
        await run(['for-each-ref', '--sort=-refname', '--count=1', '--format=%(refname)', REFS])
      ).trim();
      const number = Number(newest.slice(REFS.length) || 0) + 1;
      // Made only if it does not exist: of two processes that want the same number one fails and tries the next.
      return claimNumber(run, commit, number);
    },
    async addCause({ ref, commit, tree, changed, before }, cause) {
      const text = JSON.stringify(cause);
      const others = before.filter((known) => JSON.stringify(known) !== text);
      const next = await commitOf(run, tree, { changed, before: [...others, cause].slice(-MOST_CAUSES) });
      return run(['update-ref', ref, next, commit]).then(
        () => true,
        () => false,
      );
    },
    async remove(checkpoints) {
      const lines = checkpoints.map(({ ref }) => `delete ${ref}\n`).join('');
      if (lines !== '') await run(['update-ref', '--stdin'], { input: lines });
    },
    async tidy() {
      await run(['repack', '-A', '-d', '-q', '--unpack-unreachable=1.hour.ago']);
      await run(['prune', '--expire=1.hour.ago']);
      for (const name of await readdir(place.gitDir)) {
        const path = join(place.gitDir, name);
        if (/^(?:work|restore)-/.test(name) && (await timeOf(path)) < Date.now() - LEFTOVER_MS)
          await rm(path, { force: true });
      }
    },
  };
}

/** Made aside and moved into place: of several processes that begin at once, one makes it. */
async function prepare({ gitDir, workspace }: GitPlace, run: RunGit): Promise<void> {
  if ((await timeOf(join(gitDir, 'HEAD'))) > 0) return;
  const draft = `${gitDir}.${randomBytes(6).toString('hex')}`;
  await mkdir(join(draft, 'info'), { recursive: true, mode: 0o700 });
  try {
    await run(['init', '--quiet', '--template='], { env: { GIT_DIR: draft } });
    await writeFile(join(draft, 'info', 'attributes'), ATTRIBUTES);
    await writeFile(join(draft, 'workspace'), `${workspace}\n`);
    await rename(draft, gitDir);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if ((await timeOf(join(gitDir, 'HEAD'))) === 0) throw error;
  }
}

async function claimNumber(run: RunGit, commit: string, first: number): Promise<string> {
  for (let number = first; ; number += 1) {
    const name = String(number).padStart(DIGITS, '0');
    try {
      await run(['update-ref', `${REFS}${name}`, commit, NONE]);
      return `c${number}`;
    } catch (error) {
      if (number - first >= 5) throw error;
    }
  }
}

interface Written {
  readonly changed: number;
  readonly before: readonly CheckpointCause[];
}

async function commitOf(run: RunGit, tree: string, written: Written): Promise<string> {
  const input = `checkpoint\n\n${JSON.stringify(written)}\n`;
  return (await run(['commit-tree', tree, '-F', '-'], { input })).trim();
}

function parseRow(row: string): StoredCheckpoint {
  const [ref = '', label = '', seconds = '', tree = '', body = '', commit = ''] = row.split('\0');
  return {
    ref,
    id: `c${Number(ref.slice(REFS.length))}`,
    commit,
    at: Number(seconds) * 1_000,
    tree,
    ...readWritten(body.trim(), label),
  };
}

/** Before causes were kept, the body was a count and the subject a label. */
function readWritten(body: string, label: string): Written {
  const old = { changed: Number(body) || 0, before: [{ kind: 'other', label }] } as const;
  if (!body.startsWith('{')) return old;
  const read: unknown = JSON.parse(body);
  return isRecord(read) && Array.isArray(read.before) ? (read as unknown as Written) : old;
}

/**
 * Each call works on an index of its own, so that processes on the same workspace never see each other's half-made
 * ones; the newest that was finished is where the next begins. Tells when that was written.
 */
async function copyIndex(shared: string, own: string): Promise<number> {
  const written = await timeOf(shared);
  if (written === 0) return 0;
  try {
    await copyFile(shared, own);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
  return written;
}

/** When a file was last written; 0 when there is none. */
const timeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
