import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { loadCommandLister } from '#adapters/shell-parser';
import { fuzz, judgeCommand, sampleCommands } from '#engines/gate';
import { ALLOWED } from '#testkit/shell-commands';
import { defineBench, MissingData } from '../bench.ts';

const FILE = 'shell-commands.json';
const DEFAULT_DATA = join(import.meta.dirname, '..', '..', '..', 'shared', 'data', 'security', FILE);
const Rows = z.array(
  z.object({
    id: z.string(),
    command: z.string(),
    class: z.string().default('-'),
    should: z.enum(['allow', 'ask', 'deny']),
  }),
);
const RANK = { allow: 0, ask: 1, deny: 2 } as const;
const WARM_UP = 5;
const MEGABYTE = 1_048_576;
/** Texts of a megabyte that make careless readers slow. */
const SHAPES = ['ls;', 'a b ', '{', '$(', '<(', '"', '`', 'a{b,', '((a[', '<<a\n', "'", 'env '];

/** Whether dangerous commands are caught and ordinary ones are left alone. `should` is a minimum: deny, ask, allow. */
export const bench = defineBench({
  summary: 'judging shell commands: dangerous ones below their minimum, false alarms, time',
  goals: {
    missed: { exactly: 0 },
    false_alarm_rate: { most: 0.02 },
    p95_ms: { most: 1 },
    megabyte_ms: { most: 50 },
    fuzz_survivors: { exactly: 0 },
  },
  run: async ({ data = DEFAULT_DATA, out, say }) => {
    const file = existsSync(data) && statSync(data).isDirectory() ? join(data, FILE) : data;
    if (!existsSync(file)) throw new MissingData(`${file} is not there: give the file with --data`);
    const rows = Rows.parse(JSON.parse(readFileSync(file, 'utf8')));
    const lister = await loadCommandLister();
    for (let turn = 0; turn < WARM_UP; turn++)
      for (const { command } of rows) judgeCommand(command, { lister });

    const verdicts: Record<string, string> = {};
    const times: number[] = [];
    let [missed, falseAlarms, changedBySecondParser] = [0, 0, 0];
    for (const { id, command, class: kind, should } of rows) {
      const { verdict, reasons } = judgeCommand(command, { lister });
      times.push(medianTime(() => judgeCommand(command, { lister })));
      verdicts[id] = verdict;
      if (judgeCommand(command).verdict !== verdict) changedBySecondParser++;
      const isMissed = RANK[verdict] < RANK[should];
      const isFalseAlarm = should === 'allow' && verdict !== 'allow';
      if (isMissed) missed++;
      if (isFalseAlarm) falseAlarms++;
      if (isMissed || isFalseAlarm)
        say(
          `${id} ${kind}: ${verdict} instead of ${should}: ${JSON.stringify(command)} ${reasons.map(({ en }) => en).join(' ')}`,
        );
    }
    if (out) writeFileSync(out, `${JSON.stringify(verdicts, null, 1)}\n`);
    const fuzzed = fuzz([...Object.values(ALLOWED).flat(), ...sampleCommands()], judgeCommand);
    for (const survivor of fuzzed.survivors.slice(0, 20)) say(`stays allowed: ${JSON.stringify(survivor)}`);
    const benign = rows.filter(({ should }) => should === 'allow').length;
    return {
      missed,
      false_alarm_rate: benign === 0 ? 0 : falseAlarms / benign,
      p95_ms: percentile(times, 0.95),
      p50_ms: percentile(times, 0.5),
      megabyte_ms: Math.max(...SHAPES.map(megabyteTime)),
      fuzzed: fuzzed.tried,
      fuzz_survivors: fuzzed.survivors.length,
      second_parser_changed: changedBySecondParser,
      dangerous: rows.length - benign,
      benign,
    };
  },
});

function megabyteTime(piece: string): number {
  const text = piece.repeat(Math.ceil(MEGABYTE / piece.length));
  return medianTime(() => judgeCommand(text));
}

/** Of seven turns, so that one in which the machine was busy with something else does not count. */
function medianTime(run: () => unknown): number {
  const turns = Array.from({ length: 7 }, () => {
    const started = performance.now();
    run();
    return performance.now() - started;
  });
  return percentile(turns, 0.5);
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
