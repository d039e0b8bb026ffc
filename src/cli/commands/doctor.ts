import pc from 'picocolors';
import type { Diagnosis } from '#app/doctor';
import { diagnose } from '#host/doctor/diagnose';
import { type CliContext, defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { padEnd } from '../table.ts';

const MARKS: Readonly<Record<Diagnosis['state'], string>> = {
  good: pc.green('✓'),
  warn: pc.yellow('!'),
  bad: pc.red('✗'),
};
const NAME_WIDTH = 15;

interface DoctorFlags {
  readonly online?: boolean;
  readonly json?: boolean;
}

export const command = defineCommand({
  summary: { en: 'find out what is wrong with the installation', zh: '检查安装与配置' },
  reads: true,
  build: (cli, run, context) => {
    cli
      .option('--online', context.text.doctor.online)
      .option('--json', context.text.doctor.json)
      .action((flags: DoctorFlags) => run(() => doctor(flags, context)));
  },
});

async function doctor({ online = false, json = false }: DoctorFlags, context: CliContext): Promise<number> {
  const { stdout, text } = context;
  const counts = { good: 0, warn: 0, bad: 0 };
  const findings: Diagnosis[] = [];
  for await (const finding of diagnose({ ...context, online })) {
    counts[finding.state]++;
    findings.push(finding);
    if (!json) stdout.write(`${lines(finding).join('\n')}\n`);
  }
  if (json) {
    stdout.write(`${JSON.stringify({ ok: counts.bad === 0, counts, findings }, undefined, 2)}\n`);
    return counts.bad ? EXIT.failed : EXIT.ok;
  }
  const verdict = counts.bad
    ? text.doctor.bad(counts.bad)
    : counts.warn
      ? text.doctor.warned(counts.warn)
      : text.doctor.good;
  stdout.write(`\n${verdict}\n`);
  return counts.bad ? EXIT.failed : EXIT.ok;
}

function lines({ name, state, detail, fix }: Diagnosis): string[] {
  const margin = ' '.repeat(NAME_WIDTH + 4);
  const [first = '', ...more] = detail.split('\n');
  return [
    `${MARKS[state]} ${padEnd(name, NAME_WIDTH)}  ${first}`,
    ...more.map((line) => margin + line),
    ...(fix ? [margin + pc.dim(`→ ${fix}`)] : []),
  ];
}
