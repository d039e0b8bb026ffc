import { z } from 'zod';
import { machineWaits } from '#kit/bottleneck';
import { dropHidden } from '#kit/hidden-characters';
import { redact } from '#kit/redact';
import { MachineReading } from '#spec/data';
import { Backend } from './containers.ts';
import { defineReadingAction } from '../define-command-action.ts';
import { reportLines } from './report-lines.ts';
import type { LineEnd } from '../run-line.ts';
import { sawNoJournal } from './saw-no-journal.ts';
import { answer, count, refusal } from '../../text/answer.ts';

/** These have actions of their own. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'disks',
  'processes',
  'unit_states',
  'journal',
  'containers',
]);
/** What a call may say of each reading; the rest of an input is not its business. */
const FIELDS: ReadonlyMap<string, readonly string[]> = new Map(
  MachineReading.options.flatMap(({ shape }) =>
    [...shape.read.values].map((read) => [read, Object.keys(shape)] as const),
  ),
);
const READS = [...FIELDS.keys()].filter((read) => !ELSEWHERE.has(read));

const input = z
  .strictObject({
    read: z.enum(READS),
    path: z.string().optional().describe('files_below, largest_folders, large_files'),
    paths: z.array(z.string()).max(50).optional().describe('inodes: only where these lie'),
    large_mb: z.int().optional().describe('large_files: from which size'),
    pid: z.coerce.number().int().optional().describe('process, process_group, process_limits'),
    port: z.coerce.number().int().optional().describe('listeners, connections'),
    names: z.array(z.string()).optional().describe('named_processes: names of programs'),
    name: z.string().optional().describe('package'),
    manager: z.enum(['dpkg', 'rpm']).optional().describe('package'),
    top: z.int().min(1).max(5_000).default(50).describe('how many lines'),
    timeout: z.number().positive().max(600).optional().describe('seconds'),
    backend: Backend,
  })
  .superRefine((asked, check) => {
    const read = MachineReading.safeParse(fieldsOf(asked));
    for (const { path, message } of read.error?.issues ?? [])
      check.addIssue({ code: 'custom', path, message });
  });
type Input = z.infer<typeof input>;

const fieldsOf = (asked: { readonly read: string } & Partial<Record<string, unknown>>): object =>
  Object.fromEntries(
    (FIELDS.get(asked.read) ?? []).flatMap((key) => (asked[key] === undefined ? [] : [[key, asked[key]]])),
  );
const readingOf = (asked: Input): MachineReading => MachineReading.parse(fieldsOf(asked));

export const tool = defineReadingAction<Input>({
  name: 'machine_report',
  description:
    'Read one thing of the machine itself, outside of the sandbox: load, memory, clock, mounts, listeners, addresses, users, timers, failed units, …',
  input,
  timeoutS: 120,
  brings: ['untrusted'],
  reading: readingOf,
  // du, find, lsof, ss, grep and getent end with 1 or 2 where something could not be read or found, timeout with 124; the
  // rest is there.
  codes: [1, 2, 124],
  read(end, asked) {
    const { read, top } = asked;
    const problem = problemOf(end, read);
    if (problem !== undefined) return refusal(problem);
    const lines = reportLines(end.stdout, readingOf(asked).read);
    const kept = lines.slice(0, top);
    const text = redact(dropHidden(kept.join('\n')));
    return answer(text || `Nothing (${read}).`, `${read}: ${count(lines.length, 'line')}`, {
      read,
      text,
      lines: text === '' ? [] : text.split('\n'),
      count: lines.length,
      found: lines.length > 0,
      ...(read === 'bottleneck' ? { waits: waitsOf(lines) } : {}),
    });
  },
});

/** For templates: `waits.by.cpu` holds where the processor is what holds the machine back. */
function waitsOf(lines: readonly string[]) {
  const waits = machineWaits(lines);
  if (!waits) return {};
  const { by = 'nothing', ...figures } = waits;
  return { ...figures, by: { [by]: true } };
}

/** No output is an answer only of a program that has ended well; otherwise nothing is known. */
function problemOf({ code, stdout, stderr }: LineEnd, read: string): string | undefined {
  const said = stderr.trim().split('\n', 1)[0] ?? '';
  const isQuiet = read === 'deleted_files' && said === '';
  if (sawNoJournal(stderr)) return `${read} could not be measured.\n${said}`;
  if (code === 0 || stdout.trim() !== '' || isQuiet) return undefined;
  return `${read} could not be measured.${said ? `\n${said}` : ''}`;
}
