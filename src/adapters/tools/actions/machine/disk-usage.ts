import { tell } from '#kit/text';
import { z } from 'zod';
import type { Language } from '#kit/language';
import { readingLine } from '#kit/reading-words';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { Backend } from './containers.ts';
import { type FileSystem, fileSystems, inodeUse } from './file-systems.ts';
import { stringIn } from '../loose.ts';
import { placed } from '../placed.ts';
import { complaintOf, runLine } from '../run-line.ts';
import { answer, count, refusal } from '../../text/answer.ts';

const input = z.strictObject({
  threshold: z.number().min(1).max(100).default(85).describe('percent'),
  paths: z
    .array(
      z
        .string()
        .min(1)
        .max(4_000)
        .regex(/^[^-\0]/),
    )
    .max(50)
    .default([])
    .describe('only where these lie'),
  backend: Backend,
});
type Input = z.infer<typeof input>;

const TIME_S = 30;
const MOST_MOUNTS = 5_000;
const reading = ({ paths }: Input) => ({ read: 'disks' as const, paths });

export const tool = defineTool<Input>({
  name: 'disk_usage',
  toolset: 'actions',
  description:
    'How full the file systems of the machine are, their inodes too, and which are above a threshold.',
  input,
  deferred: true,
  level: 0,
  effect: () => 0,
  footprint: () => ({}),
  deed: (asked) => ({
    command: {
      text: readingLine(reading(asked)),
      reading: reading(asked),
      ...(asked.backend === undefined ? {} : { backend: asked.backend }),
    },
  }),
  run: measure,
});

async function measure(asked: Input, context: ToolContext): Promise<ToolResult> {
  const { backend, threshold, paths } = asked;
  const options = { backend, timeoutS: TIME_S, reading: reading(asked) };
  const space = await runLine(readingLine(reading(asked)), options, context);
  const all = fileSystems(space.stdout);
  // A mount that cannot be read is told by 1, and the others are there. With none at all, nothing is known.
  const isMeasured = space.stopped === undefined && all.length > 0;
  if (!isMeasured) return refusal(`disk_usage could not measure anything.\n${complaintOf(space)}`);
  const inodes = await context.callTool('machine_report', {
    read: 'inodes',
    paths,
    top: MOST_MOUNTS,
    ...(backend === undefined ? {} : { backend }),
  });
  const taken = inodes.isError ? new Map<string, number>() : inodeUse(stringIn(inodes.data, 'text') ?? '');
  const shown = all
    .map((disk) => ({ ...disk, inodes_percent: taken.get(disk.mount) ?? null }))
    // Read-only images are full by nature.
    .filter(({ filesystem }) => paths.length > 0 || !/^(?:squashfs|\/dev\/loop\d+)$/.test(filesystem));
  const unmeasured = space.stderr.trim() === '' ? [] : space.stderr.trim().split('\n').slice(0, 20);
  return placed(report(shown, unmeasured, threshold, !inodes.isError, context.language ?? 'en'), space.place);
}

type Measured = FileSystem & { readonly inodes_percent: number | null };
const worst = ({ used_percent, inodes_percent }: Measured): number =>
  Math.max(used_percent, inodes_percent ?? 0);

function report(
  shown: readonly Measured[],
  unmeasured: readonly string[],
  threshold: number,
  inodesMeasured: boolean,
  language: Language,
): ToolResult {
  const over = shown.filter((disk) => worst(disk) >= threshold);
  const items = over.map((disk) => ({
    severity: worst(disk) >= 95 ? 'critical' : 'high',
    name: disk.mount,
    message: useOf(disk, language),
  }));
  const fullest = shown.toSorted((a, b) => worst(b) - worst(a))[0];
  const lines = shown.map(
    (disk) => `${disk.mount}: ${useOf(disk, 'en')}, ${Math.round(disk.available_kb / 1024)} MiB free`,
  );
  const notMeasured = unmeasured.map((line) => `not measured: ${line}`);
  return answer(
    [...lines, ...notMeasured].join('\n') || 'There are no file systems to see.',
    `${count(over.length, 'file system')} above ${threshold} %`,
    {
      filesystems: shown,
      over,
      items,
      count: over.length,
      fullest: fullest ?? null,
      max_percent: fullest ? worst(fullest) : 0,
      unmeasured,
      inodes_measured: inodesMeasured,
    },
  );
}

const useOf = ({ used_percent: used, inodes_percent: inodes }: Measured, language: Language): string =>
  (inodes !== null && inodes > used
    ? tell(`${used} % used, ${inodes} % of the inodes`, `已用 ${used} %，inode 已用 ${inodes} %`)
    : tell(`${used} % used`, `已用 ${used} %`))[language];
