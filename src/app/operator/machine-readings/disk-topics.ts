import { columns, named as listed, numberIn, sizeOf } from './figures.ts';
import { defineTopic, report, spare } from './topic.ts';

const EVERYWHERE = '/';
/** `/: 42 % used, 900 MiB free` as `disk_usage` says it. */
const DISK = /^(.+): (\d+) % used(?:, (\d+) % of the inodes)?, (\d+) MiB free$/;

export const diskSpace = defineTopic({
  title: ['Disk space', '磁盘空间'],
  example: ['how full are the disks?', '磁盘还剩多少空间?'],
  calls: ({ path }) => [
    ...(path === undefined ? [] : [spare({ name: 'disk_usage', input: { paths: [path] } })]),
    { name: 'disk_usage', input: {} },
  ],
  tell([named, all], say, { path }) {
    const isThere = (named?.lines ?? []).some((line) => DISK.test(line));
    const taken = isThere || path === undefined ? named : all;
    const absent = path !== undefined && !isThere;
    const disks = (taken?.lines ?? []).flatMap((line) => {
      const [, mount, used, inodes, free] = DISK.exec(line) ?? [];
      return mount === undefined
        ? []
        : [{ mount, used: Math.max(Number(used), Number(inodes ?? 0)), free: Number(free) * 1024, line }];
    });
    const worst = disks.toSorted((a, b) => b.used - a.used);
    if (!worst[0]) return undefined;
    const [first] = worst;
    if (isThere && path !== undefined && disks.length === 1)
      return {
        sentence: say(
          `${path} lies on ${first.mount}, which is ${first.used} % full with ${sizeOf(first.free)} free.`,
          `${path} 所在的文件系统是 ${first.mount}：已用 ${first.used} %，剩余 ${sizeOf(first.free)}。`,
        ),
        notes: [
          path !== first.mount &&
            say(
              `${path} is no mount of its own: it is a folder of ${first.mount}.`,
              `${path} 不是单独的挂载点，而是 ${first.mount} 下的目录。`,
            ),
        ],
      };
    const nowhere = absent
      ? say(
          `${path} cannot be measured: it is not there, or may not be read. `,
          `${path} 未能测量：不存在或无权读取。`,
        )
      : '';
    const full = worst.filter(({ used }) => used >= 85);
    const list = listed(
      full.map(({ mount, used }) => `${mount} (${used} %)`),
      say,
    );
    const head =
      full.length > 0
        ? say(`${full.length} above 85 %: ${list}`, `${full.length} 个超过 85 %：${list}`)
        : say('none is above 85 %', '没有超过 85 % 的');
    return {
      sentence: say(
        `${nowhere}Fullest: ${first.mount} at ${first.used} % with ${sizeOf(first.free)} free; of ${disks.length} file systems ${head}.`,
        `${nowhere}最满的是 ${first.mount}：${first.used} %，剩余 ${sizeOf(first.free)}；${disks.length} 个文件系统中${head}。`,
      ),
      lines: worst.map(({ line }) => line),
      notes: (taken?.lines ?? []).filter((line) => line.startsWith('not measured:')).slice(0, 3),
    };
  },
  runbook: 'disk-full',
});

const DF = /^(\S+)\s+(\d+)\s+(\d+)\s+(-?\d+)\s+(\d+)%\s+(.+)$/;

export const inodes = defineTopic({
  title: ['Inodes', 'inode'],
  example: ['are we out of inodes?', 'inode 用完了吗?'],
  calls: ({ path }) => [report('inodes', path === undefined ? {} : { paths: [path] })],
  tell([taken], say) {
    const rows = (taken?.lines ?? []).flatMap((line) => {
      const [, , total, used, , share, mount] = DF.exec(line) ?? [];
      return mount === undefined || Number(total) === 0
        ? []
        : [{ mount, used: Number(used), total: Number(total), share: Number(share) }];
    });
    const worst = rows.toSorted((a, b) => b.share - a.share);
    if (!worst[0]) return undefined;
    return {
      sentence: say(
        `Most inodes are taken on ${worst[0].mount}: ${worst[0].share} % (${worst[0].used} of ${worst[0].total}).`,
        `inode 占用最高的是 ${worst[0].mount}：${worst[0].share} %（${worst[0].used} / ${worst[0].total}）。`,
      ),
      lines: worst.map(
        ({ mount, share, used, total }) => `${String(share).padStart(3)} %  ${mount}  (${used} / ${total})`,
      ),
    };
  },
  runbook: 'disk-full',
});

/** Made by the kernel or read-only by nature. */
const VIRTUAL =
  /^(?:proc|sysfs|devtmpfs|devpts|tmpfs|cgroup2?|mqueue|debugfs|tracefs|securityfs|pstore|bpf|hugetlbfs|fusectl|configfs|autofs|binfmt_misc|nsfs|ramfs|rpc_pipefs|efivarfs|selinuxfs|squashfs|iso9660)$/;

export const mounts = defineTopic({
  title: ['Mounts', '挂载'],
  example: ['is any file system mounted read-only?', '有没有文件系统变成只读了?'],
  calls: () => [report('mounts', { top: 1_000 })],
  tell([taken], say) {
    const all = (taken?.lines ?? [])
      .map(columns)
      .filter((row) => row.length === 6 && row[1]?.startsWith('/'));
    if (all.length === 0) return undefined;
    const real = all.filter(([, , type = '']) => !VIRTUAL.test(type));
    const frozen = real.filter(([, , , options = '']) => options.split(',').includes('ro'));
    const list = listed(
      frozen.map(([, mount = '']) => mount),
      say,
    );
    return {
      sentence: say(
        `${real.length} file systems are mounted (${all.length} with those of the kernel); read-only: ${list || 'none'}.`,
        `挂载了 ${real.length} 个文件系统（含内核自身的共 ${all.length} 个）；只读的：${list || '没有'}。`,
      ),
      lines: [...frozen, ...real.filter((row) => !frozen.includes(row))].map(
        ([device, mount, type, options = '']) =>
          `${mount}  ${type}  ${device}  ${options.split(',').slice(0, 4).join(',')}`,
      ),
    };
  },
});

const MOST_FOLDERS = 15;

export const largestFolders = defineTopic({
  title: ['Largest folders', '最大的目录'],
  example: ['what takes up the space in /var?', '/var 下哪个目录最占空间?'],
  calls: ({ path = '/', count = MOST_FOLDERS }) => [
    report('largest_folders', { path, top: Math.min(Math.max(count, 1), MOST_FOLDERS) + 1 }),
  ],
  tell([taken], say, { path = '/' }) {
    const rows = (taken?.lines ?? []).flatMap((line) => {
      const [, kb, folder] = /^(\d+)\s+(.+)$/.exec(line) ?? [];
      return folder === undefined ? [] : [{ kb: Number(kb), folder }];
    });
    const whole = rows.find(({ folder }) => folder === path);
    const inside = rows.filter((row) => row !== whole);
    const [first] = inside;
    if (!whole && !first) return undefined;
    const held = whole
      ? say(`${path} holds ${sizeOf(whole.kb)}. `, `${path} 共 ${sizeOf(whole.kb)}。`)
      : say(
          `Not all of ${path} was counted within 20 seconds. `,
          `20 秒内没有统计完 ${path}，以下只是已统计的部分。`,
        );
    const largest = first
      ? say(
          `Largest below it: ${first.folder} (${sizeOf(first.kb)}). `,
          `其中最大的是 ${first.folder}（${sizeOf(first.kb)}）。`,
        )
      : '';
    return {
      sentence: say(
        `${held}${largest}Name a folder to look into it.`,
        `${held}${largest}写明目录可以看得更细。`,
      ),
      lines: inside.map(({ kb, folder }) => `${sizeOf(kb).padStart(10)}  ${folder}`),
      notes: [
        say(
          'Two levels deep, on one file system, as far as it may be read.',
          '统计两层目录，同一文件系统，仅限有权读取的部分。',
        ),
      ],
    };
  },
  runbook: 'disk-full',
});

/** In MB: without a size the largest are wanted, whatever they have. */
const ANY_SIZE = 1;
const MOST_FILES = 15;

export const largeFiles = defineTopic({
  title: ['Large files', '大文件'],
  example: ['find files over 100 MB in /var/log', '找出 /var/log 下超过 100M 的文件'],
  calls: ({ path = EVERYWHERE, megabytes = ANY_SIZE, count = MOST_FILES }) => [
    report('large_files', { path, large_mb: megabytes, top: Math.min(Math.max(count, 1), MOST_FILES) }),
  ],
  tell([taken], say, { path = EVERYWHERE, megabytes = ANY_SIZE }) {
    if (!taken || taken.failed) return undefined;
    const rows = taken.lines.flatMap((line) => {
      const [, kb, day, file] = /^(\d+) (\d{4}-\d\d-\d\d) (.+)$/.exec(line) ?? [];
      return file === undefined ? [] : [{ kb: Number(kb), day, file }];
    });
    if (rows.length === 0 && taken.lines.length > 0) return undefined;
    const size = sizeOf(megabytes * 1024);
    const over = megabytes > ANY_SIZE ? say(` over ${size}`, `超过 ${size} 的文件中`) : '';
    return {
      sentence: rows[0]
        ? say(
            `Largest file in ${path}${over}: ${rows[0].file} (${sizeOf(rows[0].kb)}).`,
            `${path} 下${over}最大的是：${rows[0].file}（${sizeOf(rows[0].kb)}）。`,
          )
        : say(
            `find saw no file over ${sizeOf(megabytes * 1024)} in ${path}, as far as it may be read.`,
            `在 ${path} 下有权读取的部分里，find 没有找到超过 ${sizeOf(megabytes * 1024)} 的文件。`,
          ),
      lines: rows.map(({ kb, day, file }) => `${sizeOf(kb).padStart(10)}  ${day}  ${file}`),
    };
  },
  runbook: 'disk-full',
});

export const deletedFiles = defineTopic({
  title: ['Deleted files that are still open', '已删除但仍被占用的文件'],
  example: ['does a process still hold deleted files?', '有没有进程还占着已删除的文件?'],
  calls: () => [report('deleted_files', { top: 200 })],
  tell([taken], say) {
    if (!taken || taken.failed) return undefined;
    const rows = taken.lines
      .map((line) => ({ line, bytes: numberIn(columns(line)[6]) ?? 0 }))
      .filter(({ line }) => columns(line).length >= 9);
    if (rows.length === 0 && taken.lines.length > 0) return undefined;
    const held = rows.reduce((sum, { bytes }) => sum + bytes, 0) / 1024;
    return {
      sentence:
        rows.length > 0
          ? say(
              `${rows.length} deleted files are still open and hold ${sizeOf(held)}.`,
              `有 ${rows.length} 个已删除的文件仍被打开，占用 ${sizeOf(held)}。`,
            )
          : say(
              'lsof saw no deleted file that is still open, among the processes Hermes may look at.',
              '在 Hermes 有权查看的进程里，lsof 没有看到仍被打开的已删除文件。',
            ),
      lines: rows.map(({ line }) => line),
    };
  },
  runbook: 'disk-full',
});

export const blockDevices = defineTopic({
  title: ['Disks and partitions', '磁盘与分区'],
  example: ['which disks and partitions are there?', '这台机器有哪些磁盘和分区?'],
  calls: () => [spare(report('block_devices')), spare(report('partitions'))],
  tell([blocks, partitions], say) {
    const rows = (blocks?.lines ?? []).map(
      (line) =>
        new Map([...line.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value])),
    );
    const disks = rows.filter((row) => row.get('TYPE') === 'disk' && Number(row.get('SIZE')) > 0);
    if (rows.length > 0 && disks.length > 0)
      return {
        sentence: say(
          `${disks.length} disks: ${listed(
            disks.map((row) => `${row.get('NAME')} ${sizeOf(Number(row.get('SIZE')) / 1024)}`),
            say,
          )}.`,
          `${disks.length} 块磁盘：${listed(
            disks.map((row) => `${row.get('NAME')} ${sizeOf(Number(row.get('SIZE')) / 1024)}`),
            say,
          )}。`,
        ),
        lines: rows.map((row) =>
          [
            row.get('NAME'),
            row.get('TYPE'),
            sizeOf(Number(row.get('SIZE')) / 1024),
            row.get('FSTYPE'),
            row.get('MOUNTPOINT'),
            row.get('RO') === '1' ? 'read-only' : '',
          ]
            .filter(Boolean)
            .join('  '),
        ),
      };
    const known = (partitions?.lines ?? [])
      .map(columns)
      .filter((row) => row.length === 4 && /^\d+$/.test(row[2] ?? ''));
    if (known.length === 0) return undefined;
    return {
      sentence: say(
        `The kernel knows ${known.length} block devices.`,
        `内核识别到 ${known.length} 个块设备。`,
      ),
      lines: known.map(([, , kb, name]) => `${name}  ${sizeOf(Number(kb))}`),
    };
  },
});
