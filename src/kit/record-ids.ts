/** Records that people and models speak of by their ids. */
export const RECORD_KINDS = [
  'incident',
  'evidence',
  'approval',
  'checkpoint',
  'action',
  'execution',
  'run',
] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

export interface RecordMention {
  readonly kind: RecordKind;
  readonly id: string;
  /** Where in the text the id begins. */
  readonly at: number;
}

/** How ids that Hermes makes begin. */
const PREFIXES: Readonly<Record<string, RecordKind>> = {
  inc: 'incident',
  ev: 'evidence',
  apr: 'approval',
  chk: 'checkpoint',
  act: 'action',
  exe: 'execution',
  run: 'run',
};

/** What stands before an id that has no such beginning: a short one of ours, or one of somebody else's system. */
const LABELS: Readonly<Record<string, RecordKind>> = {
  incident: 'incident',
  事故: 'incident',
  evidence: 'evidence',
  证据: 'evidence',
  approval: 'approval',
  approve: 'approval',
  审批: 'approval',
  checkpoint: 'checkpoint',
  检查点: 'checkpoint',
  action: 'action',
  动作: 'action',
  execution: 'execution',
  执行单: 'execution',
};

/** A name such as `run_command` has no digit; an id has. */
const OWN = /(?<![A-Za-z0-9_])(inc|ev|apr|chk|act|exe|run)_(?=[A-Za-z_]{0,60}\d)[A-Za-z0-9_]{1,80}/g;
/** `approval 7gh2k9ab`, `approval_id: "CHG-0031"`, `checkpoint c3`, `审批 7gh2k9ab`. */
const LABELLED =
  /(?<![A-Za-z])(incident|evidence|approval|approve|checkpoint|action|execution|事故|证据|审批|检查点|动作|执行单)(?:[ _-]?(?:id|编号|号))?["']?(?:\s{0,3}[:=#:]\s{0,3}|\s{1,3}|(?=[`"'#A-Za-z0-9]))([`"'#]?)((?=[A-Za-z-]{0,40}\d)[A-Za-z0-9][A-Za-z0-9-]{0,60})(?![A-Za-z0-9_./])/gi;
/** Shorter ones are figures, severities and counts. `c3` is a checkpoint. */
const LEAST_LABELLED = 4;
const SHORT_CHECKPOINT = /^c\d+$/;

/** The records that a text names, in order. Each place is told once. */
export function recordIds(text: string): readonly RecordMention[] {
  const own = Array.from(text.matchAll(OWN), ({ 0: id, 1: prefix = '', index }) => ({
    kind: PREFIXES[prefix] as RecordKind,
    id,
    at: index,
  }));
  const labelled = Array.from(text.matchAll(LABELLED)).flatMap(
    ({ 0: all, 1: label = '', 3: id = '', index }) => {
      const kind = LABELS[label.toLowerCase()] as RecordKind;
      const short = kind === 'checkpoint' && SHORT_CHECKPOINT.test(id);
      if (id.length < LEAST_LABELLED && !short) return [];
      return [{ kind, id, at: index + all.length - id.length }];
    },
  );
  const taken = new Set(own.map(({ at }) => at));
  return [...own, ...labelled.filter(({ at }) => !taken.has(at))].toSorted((a, b) => a.at - b.at);
}

/** What is said about the record at this place: its line, cut around it. */
export function lineAround(text: string, at: number, most: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const found = text.indexOf('\n', at);
  const line = text.slice(start, found < 0 ? text.length : found);
  if (line.length <= most) return line.replaceAll(/\s+/g, ' ').trim();
  const from = Math.max(0, Math.min(at - start - Math.floor(most / 3), line.length - most));
  const part = line
    .slice(from, from + most)
    .toWellFormed()
    .replaceAll(/\s+/g, ' ')
    .trim();
  return `${from > 0 ? '…' : ''}${part}${from + most < line.length ? '…' : ''}`;
}
