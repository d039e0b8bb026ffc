import pc from 'picocolors';
import { type Diagnosis, diagnose } from '#host';
import { defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { table } from '../table.ts';

const MARKS: Readonly<Record<Diagnosis['state'], string>> = {
  good: pc.green('✓'),
  warn: pc.yellow('!'),
  bad: pc.red('✗'),
};

export const command = defineCommand({
  summary: { en: 'find out what is wrong with the installation', zh: '检查安装与配置' },
  build: (cli, run, context) => {
    const { text, language, stdout } = context;
    cli.option('--online', text.doctor.online).action(({ online = false }: { online?: boolean }) =>
      run(async () => {
        const counts = { good: 0, warn: 0, bad: 0 };
        for await (const { name, state, detail, fix } of diagnose({ ...context, online })) {
          counts[state]++;
          const [first = '', ...more] = detail.split('\n');
          const rows = [
            [MARKS[state], name[language].padEnd(14), first],
            ...more.map((line) => ['', '', line]),
          ];
          if (fix) rows.push(['', '', pc.dim(`→ ${fix}`)]);
          stdout.write(
            `${table([['', ' '.repeat(14), ''], ...rows])
              .split('\n')
              .slice(1)
              .join('\n')}\n`,
          );
        }
        const end = counts.bad
          ? text.doctor.bad(counts.bad)
          : counts.warn
            ? text.doctor.warned(counts.warn)
            : text.doctor.good;
        stdout.write(`\n${end}\n`);
        return counts.bad ? EXIT.failed : EXIT.ok;
      }),
    );
  },
});
