import { z } from 'zod';
import { Backend } from './containers.ts';
import { defineReadingAction } from '../define-command-action.ts';
import { answer, count } from '../../text/answer.ts';

export const tool = defineReadingAction({
  name: 'process_top',
  description: 'The processes that take the most processor or memory.',
  input: z.strictObject({
    by: z.enum(['cpu', 'memory']).default('cpu'),
    limit: z.int().min(1).max(200).default(15),
    backend: Backend,
  }),
  timeoutS: 30,
  reading: ({ by }) => ({ read: 'processes', by }),
  read({ stdout }, { limit, by }) {
    const all = stdout.split('\n').flatMap((line) => {
      const [, pid, parent, cpu, memory, rss, age, user = '', command = ''] =
        /^\s*(\d+)\s+(\d+)\s+([\d.]+)\s+([\d.]+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+)$/.exec(line) ?? [];
      if (pid === undefined) return [];
      return [
        {
          pid: Number(pid),
          parent: Number(parent),
          cpu_percent: Number(cpu),
          memory_percent: Number(memory),
          memory_kb: Number(rss),
          age_seconds: Number(age),
          user,
          command,
        },
      ];
    });
    // What measures is no part of what is measured.
    const processes = all.filter((one) => !(one.command === 'ps' && one.age_seconds === 0)).slice(0, limit);
    const lines = processes.map(
      (one) =>
        `${one.pid} ${one.command} (${one.user}): ${one.cpu_percent} % CPU, ${Math.round(one.memory_kb / 1024)} MiB`,
    );
    return answer(lines.join('\n'), `${count(all.length, 'process', 'processes')}, by ${by}`, {
      processes,
      count: all.length,
      total_cpu_percent: Math.round(all.reduce((sum, { cpu_percent }) => sum + cpu_percent, 0) * 10) / 10,
      top: processes[0] ?? null,
    });
  },
});
