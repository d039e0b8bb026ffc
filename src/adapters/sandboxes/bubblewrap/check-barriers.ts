import { fail } from '#kit/app-error';
import { tell } from '#kit/text';
import { runInNamespace } from './run-in-namespace.ts';
import type { Namespace } from './start-in-namespace.ts';

/** Looks only: opening a setting of the kernel for writing tells whether it could be changed, and changes nothing. */
const PROBE = [
  'grep -E "^(CapInh|CapPrm|CapEff|CapBnd|CapAmb|NoNewPrivs|Seccomp):" /proc/self/status',
  'if (: >> /proc/sys/kernel/core_pattern) 2>/dev/null; then echo "kernel: open"; else echo "kernel: closed"; fi',
  'if (: >> /etc/hermes-probe) 2>/dev/null; then echo "root: open"; else echo "root: closed"; fi',
].join('\n');

const NONE = '0000000000000000';

const EXPECTED: Readonly<Record<string, string>> = {
  CapInh: NONE,
  CapPrm: NONE,
  CapEff: NONE,
  CapBnd: NONE,
  CapAmb: NONE,
  NoNewPrivs: '1',
  Seccomp: '2',
  kernel: 'closed',
  root: 'closed',
};

/** Proves that commands would run without capabilities, filtered, and unable to change the system. */
export async function checkBarriers(namespace: Namespace): Promise<void> {
  const { code, stdout, stderr } = await runInNamespace(namespace, [namespace.shell, '-c', PROBE]);
  if (code !== 0) {
    throw fail(
      'tool.failed',
      tell(
        `bubblewrap does not work here: ${stderr.trim() || `it ended with ${code}`}`,
        `bubblewrap 在这里不能工作:${stderr.trim() || `退出码 ${code}`}`,
      ),
      tell(
        'User namespaces must be allowed (sysctl kernel.unprivileged_userns_clone, user.max_user_namespaces; AppArmor).',
        '必须允许用户命名空间(sysctl kernel.unprivileged_userns_clone、user.max_user_namespaces;AppArmor)。',
      ),
    );
  }
  const seen = new Map(
    stdout
      .toString('utf8')
      .split('\n')
      .map((line) => line.split(/:\s*/) as [string, string]),
  );
  const broken = Object.entries(EXPECTED).filter(([name, value]) => seen.get(name) !== value);
  if (broken.length === 0) return;
  const found = broken.map(([name]) => `${name} ${seen.get(name) ?? 'unknown'}`).join(', ');
  throw fail(
    'tool.failed',
    tell(
      `The barriers of bubblewrap do not hold here: ${found}.`,
      `bubblewrap 的隔离在这里不成立:${found}。`,
    ),
    tell('Run Hermes as an ordinary user, or use a container.', '请以普通用户运行 Hermes,或改用容器。'),
  );
}
