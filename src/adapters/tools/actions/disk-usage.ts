import { z } from 'zod';
import { Backend } from '../actions-support/containers.ts';
import { defineCommandAction } from '../actions-support/define-command-action.ts';
import { commandLine } from '../ops-support/command-line.ts';
import { answer, count } from '../text/answer.ts';

const NOT_DISKS = /^(?:tmpfs|devtmpfs|overlay|squashfs|udev|none|shm|proc|sysfs|cgroup)/;

export const tool = defineCommandAction({
  name: 'disk_usage',
  description: 'How full the file systems are, and which are above a threshold.',
  input: z.strictObject({
    threshold: z.number().min(1).max(100).default(85).describe('percent'),
    paths: z
      .array(
        z
          .string()
          .min(1)
          .regex(/^[^-\0]/),
      )
      .max(50)
      .default([])
      .describe('only where these lie'),
    backend: Backend,
  }),
  level: 0,
  timeoutS: 30,
  line: ({ paths }) => commandLine(['df', '-P', '-k', ...paths]),
  // A mount that cannot be read is told by 1, and the others are there.
  codes: [1],
  read({ stdout }, { threshold, paths }) {
    const all = stdout.split('\n').flatMap((line) => {
      const [, filesystem = '', size, used, free, percent, mount = ''] =
        /^(\S+)\s+(\d+)\s+(\d+)\s+(-?\d+)\s+(\d+)%\s+(.+)$/.exec(line) ?? [];
      if (mount === '') return [];
      return [
        {
          filesystem,
          mount,
          size_kb: Number(size),
          used_kb: Number(used),
          available_kb: Number(free),
          used_percent: Number(percent),
        },
      ];
    });
    const filesystems = all.filter(({ filesystem }) => paths.length > 0 || !NOT_DISKS.test(filesystem));
    const shown = filesystems.length > 0 ? filesystems : all;
    const over = shown.filter(({ used_percent }) => used_percent >= threshold);
    const items = over.map(({ mount, used_percent }) => ({
      severity: used_percent >= 95 ? 'critical' : 'high',
      name: mount,
      message: `${used_percent} % used`,
    }));
    const fullest = shown.toSorted((a, b) => b.used_percent - a.used_percent)[0];
    const lines = shown.map(
      ({ mount, used_percent, available_kb }) =>
        `${mount}: ${used_percent} % used, ${Math.round(available_kb / 1024)} MiB free`,
    );
    return answer(
      lines.join('\n') || 'There are no file systems to see.',
      `${count(over.length, 'file system')} above ${threshold} %`,
      {
        filesystems: shown,
        over,
        items,
        count: over.length,
        fullest: fullest ?? null,
        max_percent: fullest?.used_percent ?? 0,
      },
    );
  },
});
