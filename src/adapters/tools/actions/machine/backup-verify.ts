import { tell, type Text } from '#kit/text';
import { z } from 'zod';
import type { Language } from '#kit/language';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { type BackupFile, integrityWords, parseBackups } from './backups.ts';
import { callShell, NOT_FOUND, textOf } from '../call-shell.ts';
import { stringIn } from '../loose.ts';
import { LanguageChoice } from '../said.ts';
import { answer, count } from '../../text/answer.ts';
import { asResult } from '../../services/as-result.ts';

const HOUR_MS = 3_600_000;
const MOST_FILES = 5_000;

const input = z.strictObject({
  backup_dirs: z
    .array(
      z
        .string()
        .min(1)
        .regex(/^[^-\0]/),
    )
    .min(1)
    .max(50),
  min_age_hours: z.number().positive().default(24).describe('the newest backup may not be older than this'),
  verify_integrity: z
    .boolean()
    .default(false)
    .describe('test the newest: gzip, tar, zip, xz, zstd, checksums'),
  min_size_bytes: z.int().min(0).default(1),
  timeout: z.number().positive().max(600).default(300).describe('seconds for each test'),
  language: LanguageChoice,
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'backup_verify',
  toolset: 'actions',
  description:
    'Whether folders of backups have a fresh one that is not empty, not much smaller than those before, and not broken.',
  input,
  deferred: true,
  effect: () => 0,
  footprint: ({ backup_dirs }) => ({ reads: backup_dirs }),
  run: (asked, context) => asResult(() => verify(asked, context)),
});

interface Folder {
  readonly dir: string;
  readonly ok: boolean;
  readonly count: number;
  readonly newest: (BackupFile & { readonly age_hours: number }) | null;
  /** `not tested`: there is no test for this kind, or its program is missing. */
  readonly integrity: 'good' | 'broken' | 'not tested';
  /** In words. */
  readonly integrity_text: string;
  readonly problems: readonly string[];
}

const INTEGRITY: Readonly<Record<Folder['integrity'], Text>> = {
  good: tell('good', '完好'),
  broken: tell('broken', '已损坏'),
  'not tested': tell('not tested', '未测试'),
};

async function verify(asked: Input, context: ToolContext): Promise<ToolResult> {
  const { language = context.language ?? 'en' } = asked;
  const dirs: Folder[] = [];
  for (const dir of asked.backup_dirs) {
    context.signal.throwIfAborted();
    dirs.push(await verifyFolder(dir, asked, language, context));
  }
  const items = dirs.flatMap(({ dir, problems }) =>
    problems.map((message) => ({ severity: 'critical', name: dir, message })),
  );
  const summary =
    items.length === 0
      ? `${count(dirs.length, 'folder')} of backups are good`
      : `${count(items.length, 'problem')} with backups`;
  const lines = dirs.map(({ dir, newest, integrity, problems }) =>
    `${problems.length === 0 ? 'ok' : 'NOT OK'} ${dir}: ${newest ? `${newest.path}, ${newest.age_hours} h old, ${newest.size} bytes, ${integrity}` : ''} ${problems.join('; ')}`.trimEnd(),
  );
  return answer([summary, ...lines].join('\n'), summary, {
    ok: items.length === 0,
    dirs,
    items,
    problems: items.map(({ name, message }) => `${name}: ${message}`),
    count: items.length,
  });
}

async function verifyFolder(
  dir: string,
  asked: Input,
  language: Language,
  context: ToolContext,
): Promise<Folder> {
  const found = await context.callTool('machine_report', { read: 'files_below', path: dir, top: MOST_FILES });
  const isRead = !found.isError && stringIn(found.data, 'read') === 'files_below';
  const files = parseBackups(isRead ? (stringIn(found.data, 'text') ?? '') : '');
  const [newest, ...older] = files;
  if (!newest) {
    const why = isRead
      ? tell('there is no backup', '没有备份文件')
      : tell(`it cannot be read: ${textOf(found).slice(0, 200)}`, `无法读取:${textOf(found).slice(0, 200)}`);
    return {
      dir,
      ok: false,
      count: 0,
      newest: null,
      integrity: 'not tested',
      integrity_text: INTEGRITY['not tested'][language],
      problems: [why[language]],
    };
  }
  const age = Math.round(((Date.now() - newest.changed_at) / HOUR_MS) * 10) / 10;
  const integrity = asked.verify_integrity ? await tested(newest, asked.timeout, context) : 'not tested';
  const usual = median(older.slice(0, 10).map(({ size }) => size));
  const problems: Text[] = [];
  if (age > asked.min_age_hours)
    problems.push(tell(`the newest is ${age} h old`, `最新备份已有 ${age} 小时`));
  if (newest.size < asked.min_size_bytes)
    problems.push(tell(`the newest has ${newest.size} bytes`, `最新备份只有 ${newest.size} 字节`));
  else if (usual !== undefined && newest.size * 2 < usual)
    problems.push(
      tell(
        `the newest has ${newest.size} bytes, those before about ${usual}`,
        `最新备份 ${newest.size} 字节,之前约 ${usual} 字节`,
      ),
    );
  if (integrity === 'broken') problems.push(tell(`${newest.path} is broken`, `${newest.path} 已损坏`));
  return {
    dir,
    ok: problems.length === 0,
    count: files.length,
    newest: { ...newest, age_hours: age },
    integrity,
    integrity_text: INTEGRITY[integrity][language],
    problems: problems.map((problem) => problem[language]),
  };
}

async function tested(
  { path }: BackupFile,
  timeoutS: number,
  context: ToolContext,
): Promise<Folder['integrity']> {
  const words = integrityWords(path);
  if (!words) return 'not tested';
  const { code, stderr } = await callShell({ words, timeoutS }, context);
  // What a sandbox does not show is not broken.
  if (code === NOT_FOUND || /no such file|cannot open|can't open/i.test(stderr)) return 'not tested';
  return code === 0 ? 'good' : 'broken';
}

function median(numbers: readonly number[]): number | undefined {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
