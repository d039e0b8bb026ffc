import { z } from 'zod';
import { dropHidden } from '#kit/hidden-characters';
import { redact } from '#kit/redact';
import { MachineReading } from '#spec/data';
import { Backend } from './containers.ts';
import { defineReadingAction } from '../define-command-action.ts';
import type { LineEnd } from '../run-line.ts';
import { answer, count, refusal } from '../../text/answer.ts';

const SIMPLE = [
  'load',
  'processors',
  'memory',
  'pressure',
  'activity',
  'waiting',
  'deleted_files',
  'journal_size',
  'failed_units',
  'kernel_errors',
  'inodes',
  'files_below',
  'largest_folders',
  'large_files',
  'process',
  'process_group',
  'listeners',
  'connections',
] as const;
type Simple = (typeof SIMPLE)[number];

/** What each reading needs besides its name; the rest of an input is not its business. */
const NEEDS: Readonly<Partial<Record<Simple, readonly ('path' | 'paths' | 'large_mb' | 'pid' | 'port')[]>>> =
  {
    inodes: ['paths'],
    files_below: ['path'],
    largest_folders: ['path'],
    large_files: ['path', 'large_mb'],
    process: ['pid'],
    process_group: ['pid'],
    listeners: ['port'],
    connections: ['port'],
  };

const input = z
  .strictObject({
    read: z.enum(SIMPLE),
    path: z.string().optional().describe('files_below, largest_folders, large_files'),
    paths: z.array(z.string()).max(50).optional().describe('inodes: only where these lie'),
    large_mb: z.int().optional().describe('large_files: from which size'),
    pid: z.coerce.number().int().optional().describe('process, process_group'),
    port: z.coerce.number().int().optional().describe('listeners, connections'),
    top: z.int().min(1).max(5_000).default(50).describe('how many lines'),
    timeout: z.number().positive().max(600).optional().describe('seconds'),
    backend: Backend,
  })
  .superRefine((asked, check) => {
    const read = MachineReading.safeParse(readingOf(asked));
    for (const { path, message } of read.error?.issues ?? [])
      check.addIssue({ code: 'custom', path, message });
  });
type Input = z.infer<typeof input>;

function readingOf(asked: { readonly read: Simple } & Partial<Record<string, unknown>>): MachineReading {
  const needed = (NEEDS[asked.read] ?? []).flatMap((key) =>
    asked[key] === undefined ? [] : [[key, asked[key]]],
  );
  const reading = { read: asked.read, ...Object.fromEntries(needed) } as MachineReading;
  if (reading.read === 'inodes') return { ...reading, paths: reading.paths ?? [] };
  return reading.read === 'large_files' ? { ...reading, large_mb: reading.large_mb ?? 100 } : reading;
}

export const tool = defineReadingAction<Input>({
  name: 'machine_report',
  description:
    'Read one thing of the machine itself, outside of the sandbox: load, memory, pressure, failed units, listeners, largest folders, …',
  input,
  timeoutS: 120,
  brings: ['untrusted'],
  reading: readingOf,
  // du, find, lsof and ss end with 1 where something could not be read, or nothing was found; the rest is there.
  codes: [1],
  read(end, { read, top }) {
    const problem = problemOf(end, read);
    if (problem !== undefined) return refusal(problem);
    const lines = linesOf(end.stdout, read);
    const kept = lines.slice(0, top);
    const text = redact(dropHidden(kept.join('\n')));
    return answer(text || `Nothing (${read}).`, `${read}: ${count(lines.length, 'line')}`, {
      read,
      text,
      lines: text === '' ? [] : text.split('\n'),
      count: lines.length,
      found: lines.length > 0,
    });
  },
});

/** No output is an answer only of a program that has ended well; otherwise nothing is known. */
function problemOf({ code, stdout, stderr }: LineEnd, read: Simple): string | undefined {
  const said = stderr.trim().split('\n', 1)[0] ?? '';
  const isQuiet = read === 'deleted_files' && said === '';
  if (code === 0 || stdout.trim() !== '' || isQuiet) return undefined;
  return `${read} could not be measured.${said ? `\n${said}` : ''}`;
}

const SIZED = /^\d+\s/;
const bySize = (a: string, b: string): number => Number.parseInt(b, 10) - Number.parseInt(a, 10);

/** The lines that matter, the largest first where they have a size. */
function linesOf(stdout: string, read: Simple): string[] {
  const lines = stdout.split('\n').filter((line) => line.trim() !== '');
  switch (read) {
    case 'largest_folders':
    case 'large_files':
      return lines.filter((line) => SIZED.test(line)).toSorted(bySize);
    case 'files_below':
      return lines.toSorted((a, b) => Number.parseFloat(b) - Number.parseFloat(a));
    case 'waiting':
      return lines.filter((line) => line.startsWith('D'));
    case 'deleted_files':
      return lines.filter((line) => / REG /.test(line)).toSorted((a, b) => sizeOfOpen(b) - sizeOfOpen(a));
    default:
      return lines;
  }
}

/** The seventh column of `lsof`. */
const sizeOfOpen = (line: string): number => Number(line.trim().split(/\s+/)[6]) || 0;
