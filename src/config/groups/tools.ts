import { z } from 'zod';
import { fieldDocs } from '../field-docs.ts';

/** How tools work. */
export const tools = z.strictObject({
  checkpoints: z.boolean().default(true).register(fieldDocs, {
    en: 'Keep a copy of the workspace before a turn changes it, for /rollback',
    zh: '每轮修改前保存工作区副本,供 /rollback 使用',
  }),
  inspect_machine: z.boolean().default(true).register(fieldDocs, {
    en: 'Let a closed list of readings (disks, load, processes, units, …) be taken outside of the sandbox',
    zh: '允许在沙箱之外读取本机的固定项目(磁盘、负载、进程、服务等)',
  }),
});
