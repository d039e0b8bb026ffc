import { toErrorRecord } from '#kit/app-error';
import type { Language } from '#kit/language';
import type { Checkpoint, Checkpoints, RestoreReport } from '#spec/ports';
import type { SlashResult } from '../conversation.ts';
import { defineSlashCommand } from '../slash-command.ts';

const MOST_LISTED = 20;
const MOST_NAMES = 15;

export const command = defineSlashCommand({
  summary: { en: 'take the files back to an earlier state', zh: '将文件恢复到先前的状态' },
  usage: '[diff] [number or id] [path]',
  run: async (args, { checkpoints, language }) => {
    const say = TEXT[language];
    if (!checkpoints) return { text: say.none };
    try {
      return await rollback(args.trim(), checkpoints, language);
    } catch (error) {
      const { message, hint } = toErrorRecord(error);
      return { text: hint ? `${message}\n\n${hint}` : message };
    }
  },
});

async function rollback(args: string, checkpoints: Checkpoints, language: Language): Promise<SlashResult> {
  const say = TEXT[language];
  const list = await checkpoints.list();
  if (list.length === 0) return { text: say.empty };
  const [, diff, which, path] = /^(?:(diff)\b\s*)?(\S+)?\s*(.*)$/s.exec(args) ?? [];
  if (!which && !diff) return { text: listing(list, say, await checkpoints.leftOut()) };
  const id = idOf(which ?? '1', list);
  if (!id) return { text: say.unknown(which ?? '') };
  const scope = path || undefined;
  return {
    text: diff ? await difference(id, scope, checkpoints, say) : await restore(id, scope, checkpoints, say),
  };
}

/** `2` is the second newest, `c17` is a name. */
function idOf(which: string, list: readonly Checkpoint[]): string | undefined {
  const number = /^\d+$/.test(which) ? Number(which) : undefined;
  return number === undefined ? list.find(({ id }) => id === which)?.id : list[number - 1]?.id;
}

function listing(list: readonly Checkpoint[], say: Text, leftOut: readonly string[]): string {
  const rows = list
    .slice(0, MOST_LISTED)
    .map(
      ({ id, label, at, changed }, i) =>
        `${i + 1}. \`${id}\` ${time(at)} · ${say.files(changed)} · ${plain(label)}`,
    );
  const older = list.length > MOST_LISTED ? [say.older(list.length - MOST_LISTED)] : [];
  return [...rows, ...older, '', say.how, ...(leftOut.length > 0 ? [say.leftOut(names(leftOut))] : [])].join(
    '\n',
  );
}

async function difference(
  id: string,
  path: string | undefined,
  checkpoints: Checkpoints,
  say: Text,
): Promise<string> {
  const found = await checkpoints.diff(id, path);
  if (!found) return say.unknown(id);
  if (found.changes.length === 0) return say.same(id);
  const marks = { added: '+', changed: '~', deleted: '−' } as const;
  const rows = found.changes
    .slice(0, MOST_NAMES)
    .map((change) => `- ${marks[change.kind]} ${plain(change.path)}`);
  const rest = found.changes.length > rows.length ? [`- … ${found.changes.length - rows.length}`] : [];
  const fence = '`'.repeat(Math.max(3, ...[...found.text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return [say.since(id), ...rows, ...rest, '', `${fence}diff`, found.text.trimEnd(), fence].join('\n');
}

async function restore(
  id: string,
  path: string | undefined,
  checkpoints: Checkpoints,
  say: Text,
): Promise<string> {
  const report = await checkpoints.restore(id, path);
  if (!report) return say.unknown(id);
  const { restored, removed, failed, before } = report;
  if (restored.length + removed.length + failed.length === 0) return say.same(id);
  return [
    say.done(id),
    ...(restored.length > 0 ? [`- ${say.restored}: ${names(restored)}`] : []),
    ...(removed.length > 0 ? [`- ${say.removed}: ${names(removed)}`] : []),
    ...failed.map((failure) => failureLine(failure, say)),
    '',
    say.undo(before),
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

interface Text {
  readonly none: string;
  readonly empty: string;
  readonly how: string;
  readonly restored: string;
  readonly removed: string;
  readonly failed: string;
  files(count: number): string;
  older(count: number): string;
  leftOut(list: string): string;
  unknown(which: string): string;
  same(id: string): string;
  since(id: string): string;
  done(id: string): string;
  undo(id: string): string;
}

const TEXT: Readonly<Record<Language, Text>> = {
  en: {
    none: 'This conversation keeps no checkpoints.',
    empty: 'There is no checkpoint yet: one is taken before the first change of a turn.',
    how: '`/rollback 1` goes back, `/rollback 1 path` with one file or folder, `/rollback diff 1` shows what has changed since.',
    restored: 'As before',
    removed: 'Removed',
    failed: 'Left alone',
    files: (count) => (count === 1 ? '1 file' : `${count} files`),
    older: (count) => `… and ${count} older`,
    leftOut: (list) => `Not kept (secrets, large files): ${list}`,
    unknown: (which) => `There is no checkpoint \`${which}\`; \`/rollback\` lists them.`,
    same: (id) => `Nothing differs from \`${id}\`.`,
    since: (id) => `Since \`${id}\`:`,
    done: (id) => `The files are back at \`${id}\`.`,
    undo: (id) => `\`/rollback ${id}\` undoes this.`,
  },
  zh: {
    none: '本次对话没有检查点。',
    empty: '尚无检查点：每轮首次改动前会自动建立。',
    how: '`/rollback 1` 恢复，`/rollback 1 路径` 只恢复一个文件或文件夹，`/rollback diff 1` 查看此后的改动。',
    restored: '已恢复',
    removed: '已移除',
    failed: '未改动',
    files: (count) => `${count} 个文件`,
    older: (count) => `… 另有 ${count} 个更早的`,
    leftOut: (list) => `未保存（机密、大文件）：${list}`,
    unknown: (which) => `没有检查点 \`${which}\`；\`/rollback\` 可列出全部。`,
    same: (id) => `与 \`${id}\` 没有差别。`,
    since: (id) => `自 \`${id}\` 以来：`,
    done: (id) => `文件已恢复到 \`${id}\`。`,
    undo: (id) => `\`/rollback ${id}\` 可撤销此操作。`,
  },
};
