import { byFile, fields, named, numberIn } from './figures.ts';
import { defineTopic, report } from './topic.ts';

/** In every reading of several files of the kernel. */
const ALWAYS = '/proc/sys/kernel/osrelease';

export const cpu = defineTopic({
  title: ['Processor', '处理器'],
  example: ['which CPU is in this machine and how many cores?', '这台机器什么 CPU、几核?'],
  calls: () => [report('cpu'), report('processors')],
  tell([model, count], say) {
    const found = fields(model?.lines ?? []);
    const usable = numberIn(count?.lines[0]);
    const all = found.get('CPU(s)');
    if (usable === undefined && all === undefined) return undefined;
    const name =
      found.get('Model name') ?? found.get('Architecture') ?? say('of an unknown model', '型号未知');
    const wanted =
      /^\s*(?:Architecture|CPU\(s\)|Thread|Core|Socket|Vendor|Model name|CPU max MHz|CPU MHz|L[123]|NUMA node\(s\)|Hypervisor|Virtualization)/;
    return {
      sentence: say(
        `Processor: ${name}; ${usable ?? all} usable processors${all !== undefined && usable !== undefined && Number(all) !== usable ? ` of ${all}` : ''}.`,
        `处理器：${name}；可用 ${usable ?? all} 个${all !== undefined && usable !== undefined && Number(all) !== usable ? `（共 ${all} 个）` : ''}。`,
      ),
      lines: (model?.lines ?? []).filter((line) => wanted.test(line)),
    };
  },
});

export const temperature = defineTopic({
  title: ['Temperature', '温度'],
  example: ['how hot is the CPU?', 'CPU 温度多少?'],
  calls: () => [report('temperatures', { top: 200 })],
  tell([taken], say) {
    const files = byFile(taken?.lines ?? []);
    const found = [...files].flatMap(([file, [value]]) => {
      const milli = /\/temp(?:1_input)?$/.test(file) ? numberIn(value) : undefined;
      if (milli === undefined) return [];
      const label = files.get(file.replace(/temp$/, 'type').replace(/temp1_input$/, 'name'))?.[0] ?? file;
      return [{ label, degrees: Math.round(milli / 100) / 10 }];
    });
    const hottest = found.toSorted((a, b) => b.degrees - a.degrees);
    if (!files.has(ALWAYS)) return undefined;
    if (!hottest[0])
      return {
        sentence: say(
          'The kernel shows no temperature sensor here (usual for a virtual machine or a container).',
          '内核没有给出任何温度传感器（虚拟机和容器里通常如此）。',
        ),
      };
    return {
      sentence: say(
        `Hottest: ${hottest[0].degrees} °C (${hottest[0].label}), of ${found.length} sensors.`,
        `最高 ${hottest[0].degrees} °C（${hottest[0].label}），共 ${found.length} 个传感器。`,
      ),
      lines: hottest.map(({ label, degrees }) => `${degrees} °C  ${label}`),
    };
  },
});

export const gpu = defineTopic({
  title: ['GPU', 'GPU'],
  example: ['is there a GPU and how busy is it?', '有没有 GPU,显存用了多少?'],
  calls: () => [report('gpus')],
  tell([taken], say) {
    const rows = (taken?.lines ?? []).map((line) => line.split(/,\s*/)).filter((row) => row.length === 6);
    if (rows.length === 0) return undefined;
    const names = rows.map(([name, use, used, total]) => `${name}: ${use}, ${used} / ${total}`);
    return {
      sentence: say(
        `${rows.length} GPU(s): ${named(names, say, 3)}.`,
        `${rows.length} 块 GPU：${named(names, say, 3)}。`,
      ),
      lines: taken?.lines ?? [],
    };
  },
});

export const accessControl = defineTopic({
  title: ['SELinux and AppArmor', 'SELinux 与 AppArmor'],
  example: ['is selinux enforcing?', 'SELinux 开着吗?'],
  calls: () => [report('access_control', { top: 300 })],
  tell([taken], say) {
    const files = byFile(taken?.lines ?? []);
    if (!files.has(ALWAYS)) return undefined;
    const enforce = files.get('/sys/fs/selinux/enforce')?.[0];
    const armor = files.get('/sys/module/apparmor/parameters/enabled')?.[0];
    const profiles = files.get('/sys/kernel/security/apparmor/profiles') ?? [];
    const selinux =
      enforce === '1'
        ? say('enforcing', 'enforcing（强制）')
        : enforce === '0'
          ? say('permissive', 'permissive（宽容）')
          : say('not active', '未启用');
    const apparmor =
      armor === 'Y'
        ? say(`on, ${profiles.length} profiles seen`, `已启用，可见 ${profiles.length} 个配置`)
        : say('not active', '未启用');
    return {
      sentence: say(
        `SELinux: ${selinux}; AppArmor: ${apparmor}.`,
        `SELinux：${selinux}；AppArmor：${apparmor}。`,
      ),
      lines: [...(files.get('/sys/kernel/security/lsm') ?? []).map((line) => `lsm: ${line}`), ...profiles],
      notes: [
        enforce === undefined &&
          armor === undefined &&
          say(
            'That is what the files of the kernel show. In a container the host decides, and does not show it.',
            '这是内核文件显示的结果。在容器里由宿主机决定，这里看不到。',
          ),
      ],
    };
  },
});
