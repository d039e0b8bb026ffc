import { toErrorRecord } from '#kit/app-error';
import type { Language } from '#kit/language';
import type { Checkpoint, CheckpointCause, CheckpointDiff, Checkpoints, RestoreReport } from '#spec/ports';
import type { SlashResult } from '../conversation.ts';
import { type CommandScope, defineSlashCommand } from '../slash-command.ts';

const MOST_LISTED = 20;
const MOST_NAMES = 15;
const MOST_CAUSES = 3;

/** `confirm` alone changes anything; every other form shows what it would do. */
export const command = defineSlashCommand({
  summary: { en: 'take the files back to an earlier state', zh: '将文件恢复到先前的状态' },
  usage: '[diff|confirm] [number, id or undo] [path]',
  run: async (args, scope) => {
    const say = TEXT[scope.language];
    const { checkpoints } = scope;
    if (!checkpoints) return { text: say.none(scope.noCheckpoints) };
    try {
      return await rollback(args.trim(), checkpoints, scope, say);
    } catch (error) {
      const { message, hint } = toErrorRecord(error);
      return { text: hint ? `${message}\n\n${hint}` : message };
    }
  },
});

async function rollback(
  args: string,
  checkpoints: Checkpoints,
  scope: CommandScope,
  say: Text,
): Promise<SlashResult> {
  const list = await checkpoints.list();
  if (list.length === 0) return { text: say.empty };
  const [, verb, which, path] = /^(?:(diff|confirm)(?:\s+|$))?(\S+)?\s*(.*)$/s.exec(args) ?? [];
  if (!which && !verb) return { text: await listing(list, scope, say, await checkpoints.leftOut()) };
  if (!which && verb === 'confirm') return { text: say.which };
  const id = idOf(which ?? '1', list);
  if (!id) return { text: which === 'undo' ? say.nothingToUndo : say.unknown(which ?? '') };
  const inside = path || undefined;
  if (verb === 'confirm') return { text: await restore(id, inside, checkpoints, scope, say) };
  const found = await checkpoints.diff(id, inside);
  if (!found) return { text: say.unknown(id) };
  if (found.changes.length === 0) return { text: say.same(id) };
  const text = difference(id, found, say);
  if (verb === 'diff') return { text };
  const line = ['/rollback confirm', id, inside].filter(Boolean).join(' ');
  return {
    text: `${text}\n\n${say.confirm(line)}`,
    next: { question: say.question(id, say.counts(countsOf(found))), line },
  };
}

/** `2` is the second newest, `c17` is a name, `undo` is the state before the last time that files were taken back. */
function idOf(which: string, list: readonly Checkpoint[]): string | undefined {
  if (which === 'undo') return list.find(({ before }) => before.some(({ kind }) => kind === 'rollback'))?.id;
  const number = /^\d+$/.test(which) ? Number(which) : undefined;
  return number === undefined ? list.find(({ id }) => id === which)?.id : list[number - 1]?.id;
}

async function listing(
  list: readonly Checkpoint[],
  scope: CommandScope,
  say: Text,
  leftOut: readonly string[],
): Promise<string> {
  const rows = await Promise.all(
    list.slice(0, MOST_LISTED).map(async ({ id, at, changed, before }, i) => {
      const causes = await Promise.all(
        before
          .toReversed()
          .slice(0, MOST_CAUSES)
          .map((cause) => causeText(cause, scope, say)),
      );
      const more = before.length > MOST_CAUSES ? [`… ${before.length - MOST_CAUSES}`] : [];
      return `${i + 1}. \`${id}\` ${time(at)} · ${say.files(changed)} · ${[...causes, ...more].join('; ')}`;
    }),
  );
  const older = list.length > MOST_LISTED ? [say.older(list.length - MOST_LISTED)] : [];
  const notKept = leftOut.length > 0 ? [say.leftOut(names(leftOut))] : [];
  return [...rows, ...older, '', say.how, ...notKept].join('\n');
}

/** Which conversation it was, by its title where it is of the same person. */
async function causeText(cause: CheckpointCause, scope: CommandScope, say: Text): Promise<string> {
  if (cause.kind === 'other') return plain(cause.label);
  const { session } = cause;
  const isHere = session === scope.state.session.id;
  const where = isHere ? say.here : plain((await scope.titleOf(session)) ?? session);
  if (cause.kind === 'rollback') return say.beforeRollback(cause.to, where);
  return cause.turn === 0 ? say.beforeWorkflow(where) : say.beforeTurn(cause.turn, where);
}

const countsOf = ({ changes }: CheckpointDiff) => {
  const count = (kind: string) => changes.filter((change) => change.kind === kind).length;
  return { added: count('added'), changed: count('changed'), removed: count('removed') };
};

function difference(id: string, found: CheckpointDiff, say: Text): string {
  const marks = { added: '+', changed: '~', removed: '−' } as const;
  const rows = found.changes
    .slice(0, MOST_NAMES)
    .map((change) => `- ${marks[change.kind]} ${plain(change.path)}`);
  const rest = found.changes.length > rows.length ? [`- … ${found.changes.length - rows.length}`] : [];
  const fence = '`'.repeat(Math.max(3, ...[...found.text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  const heading = say.would(id, say.counts(countsOf(found)));
  return [heading, ...rows, ...rest, '', `${fence}diff`, found.text.trimEnd(), fence].join('\n');
}

async function restore(
  id: string,
  path: string | undefined,
  checkpoints: Checkpoints,
  { state }: CommandScope,
  say: Text,
): Promise<string> {
  const report = await checkpoints.restore(id, state.session.id, path);
  if (!report) return say.unknown(id);
  const { restored, removed, failed } = report;
  if (restored.length + removed.length + failed.length === 0) return say.same(id);
  return [
    say.done(id),
    ...(restored.length > 0 ? [`- ${say.restored}: ${names(restored)}`] : []),
    ...(removed.length > 0 ? [`- ${say.removed}: ${names(removed)}`] : []),
    ...failed.map((failure) => failureLine(failure, say)),
    '',
    say.undo,
  ].join('\n');
}

const failureLine = ({ path, reason }: RestoreReport['failed'][number], say: Text): string =>
  `- ${say.failed}: ${plain(path)} (${reason})`;

function names(paths: readonly string[]): string {
  const shown = paths.slice(0, MOST_NAMES).map(plain).join(', ');
  return paths.length > MOST_NAMES ? `${shown}, … ${paths.length - MOST_NAMES}` : shown;
}

/** A name or a label as code, so that nothing in it is formatting. */
const plain = (text: string): string => `\`${text.replaceAll('`', "'").replaceAll(/\s/g, ' ')}\``;

const time = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');

interface Counts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

interface Text {
  readonly empty: string;
  readonly which: string;
  readonly nothingToUndo: string;
  readonly how: string;
  readonly restored: string;
  readonly removed: string;
  readonly failed: string;
  readonly undo: string;
  readonly here: string;
  none(why: string | undefined): string;
  files(count: number): string;
  older(count: number): string;
  leftOut(list: string): string;
  unknown(which: string): string;
  same(id: string): string;
  beforeTurn(turn: number, where: string): string;
  beforeWorkflow(where: string): string;
  beforeRollback(to: string, where: string): string;
  counts(counts: Counts): string;
  would(id: string, counts: string): string;
  confirm(line: string): string;
  question(id: string, counts: string): string;
  done(id: string): string;
}

const TEXT: Readonly<Record<Language, Text>> = {
  en: {
    none: (why) => `This conversation keeps no checkpoints${why ? `: ${why}` : ''}.`,
    empty: 'There is no checkpoint yet: one is taken before the first change of a turn.',
    which: 'Say which one, such as `/rollback confirm 1`; `/rollback` lists them.',
    nothingToUndo: 'No files were taken back: there is nothing to undo.',
    how: '`/rollback 1` shows what going back would do, `/rollback 1 path` for one file or folder; `/rollback confirm 1` does it, `/rollback undo` undoes it.',
    restored: 'As before',
    removed: 'Removed',
    failed: 'Left alone',
    here: 'this conversation',
    files: (count) => (count === 1 ? '1 file' : `${count} files`),
    older: (count) => `… and ${count} older`,
    leftOut: (list) => `Not kept (secrets, large files): ${list}`,
    unknown: (which) => `There is no checkpoint \`${which}\`; \`/rollback\` lists them.`,
    same: (id) => `Nothing differs from \`${id}\`.`,
    beforeTurn: (turn, where) => `before turn ${turn} of ${where}`,
    beforeWorkflow: (where) => `before a workflow of ${where}`,
    beforeRollback: (to, where) => `before going back to \`${to}\` in ${where}`,
    counts: ({ added, changed, removed }) => `${added} added, ${changed} changed, ${removed} removed`,
    would: (id, counts) => `Going back to \`${id}\` would do this (${counts}):`,
    confirm: (line) => `Nothing has been done yet. \`${line}\` does it.`,
    question: (id, counts) => `Take the files back to ${id}? (${counts})`,
    done: (id) => `The files are back at \`${id}\`.`,
    undo: '`/rollback undo` undoes this.',
  },
  zh: {
    none: (why) => `本次对话没有检查点${why ? `：${why}` : ''}。`,
    empty: '尚无检查点：每轮首次改动前会自动建立。',
    which: '请指明检查点，例如 `/rollback confirm 1`；`/rollback` 可列出全部。',
    nothingToUndo: '尚未恢复过文件，没有可撤销的操作。',
    how: '`/rollback 1` 显示恢复会做什么，`/rollback 1 路径` 只看一个文件或文件夹；`/rollback confirm 1` 执行恢复，`/rollback undo` 撤销恢复。',
    restored: '已恢复',
    removed: '已移除',
    failed: '未改动',
    here: '本次对话',
    files: (count) => `${count} 个文件`,
    older: (count) => `… 另有 ${count} 个更早的`,
    leftOut: (list) => `未保存（机密、大文件）：${list}`,
    unknown: (which) => `没有检查点 \`${which}\`；\`/rollback\` 可列出全部。`,
    same: (id) => `与 \`${id}\` 没有差别。`,
    beforeTurn: (turn, where) => `${where}第 ${turn} 轮之前`,
    beforeWorkflow: (where) => `${where}的工作流之前`,
    beforeRollback: (to, where) => `在${where}恢复到 \`${to}\` 之前`,
    counts: ({ added, changed, removed }) => `新增 ${added}，修改 ${changed}，移除 ${removed}`,
    would: (id, counts) => `恢复到 \`${id}\` 会做以下改动（${counts}）：`,
    confirm: (line) => `尚未执行。\`${line}\` 执行恢复。`,
    question: (id, counts) => `将文件恢复到 ${id} 吗？（${counts}）`,
    done: (id) => `文件已恢复到 \`${id}\`。`,
    undo: '`/rollback undo` 可撤销此操作。',
  },
};
