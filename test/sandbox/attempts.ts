interface Attempt {
  readonly what: string;
  /** Prints `tried` at its end, and `ESCAPED` or the secret where it got through. */
  readonly command: (workspace: string) => string;
  readonly input?: string;
}

/** One call of the kernel; it got through unless it is refused. */
const python = (lines: readonly string[]): string =>
  `/usr/bin/python3 - <<'END'\nimport ctypes, os, socket\nlibc = ctypes.CDLL(None, use_errno=True)\n${lines.join('\n')}\nEND\necho tried`;

const call = (expression: string): string =>
  python([
    `result = ${expression}`,
    'print("refused", ctypes.get_errno()) if result < 0 else print("ESCAPED")',
  ]);

const numbers =
  process.arch === 'arm64'
    ? { keyctl: 219, bpf: 280, userfaultfd: 282 }
    : { keyctl: 250, bpf: 321, userfaultfd: 323 };

/** `>>` opens for writing and changes nothing. */
const opensForWriting = (path: string): string => `(: >> ${path}) 2>/dev/null && echo ESCAPED ${path}`;

/** Ways out that were found in the wild or are commonly tried. */
export const ATTEMPTS: readonly Attempt[] = [
  {
    what: 'cannot write outside of the workspace',
    command: (workspace) =>
      `for f in /etc /usr /usr/bin /bin /lib /root /var /opt / /dev /proc ${workspace}/../outside; do
         touch $f/hermes-escape 2>/dev/null && echo ESCAPED $f; done; echo tried`,
  },
  {
    what: 'cannot read secrets of the user or the system',
    command: (workspace) =>
      `cat ${workspace}/../outside/secret ${workspace}/.hermes/.env ${workspace}/.config/gcloud/token 2>/dev/null
       for f in /etc/shadow /etc/gshadow /etc/sudoers /etc/ssh/ssh_host_ed25519_key /etc/ssl/private /root/.ssh /root/.bashrc \
         /run/docker.sock /var/run/docker.sock /sys/kernel; do
         head -c 1 $f 2>/dev/null | grep -q . && echo ESCAPED $f; ls -A $f/ 2>/dev/null | grep -q . && echo ESCAPED $f; done
       echo tried`,
  },
  {
    what: 'cannot go around through /proc',
    command: (workspace) =>
      `for p in /proc/self/root /proc/1/root /proc/1/cwd /proc/self/cwd/..; do
         cat $p${workspace}/../outside/secret 2>/dev/null; touch $p/etc/hermes-escape 2>/dev/null && echo ESCAPED $p; done
       for p in /proc/[0-9]*; do cat $p/environ 2>/dev/null | tr '\\0' '\\n' | grep -q '^HERMES_HOME=' && echo ESCAPED $p; done
       echo tried`,
  },
  {
    what: 'cannot change the kernel',
    command: () =>
      [
        '/proc/sys/kernel/core_pattern',
        '/proc/sys/kernel/modprobe',
        '/proc/sys/vm/drop_caches',
        '/proc/sysrq-trigger',
        '/proc/sys/kernel/hostname',
        '/proc/irq/default_smp_affinity',
      ]
        .map(opensForWriting)
        .concat('echo tried')
        .join('; '),
  },
  {
    what: 'sees no processes but its own',
    command: () => '[ "$(ls -d /proc/[0-9]* | wc -l)" -lt 8 ] || echo ESCAPED; kill -9 -1; echo tried',
  },
  {
    what: 'cannot change what git would run',
    command: () =>
      `echo evil > .git/hooks/pre-commit; echo evil >> .git/config; git config core.hooksPath /tmp
       mv .git old-git; mv .git/hooks .git/other; mv .git/config .git/c; rm -rf .git/hooks .git/config; ln -sfn /tmp .git/hooks
       mount --bind /tmp .git/hooks; umount .git/hooks; echo evil > .git/hooks/pre-commit; echo tried`,
  },
  {
    what: 'cannot swap a folder for a link to the outside',
    command: (workspace) =>
      `mkdir -p swap && rm -rf swap && ln -s ${workspace}/../outside swap; cat swap/secret; echo x > swap/secret; rm swap
       ln -s / root; cat root${workspace}/../outside/secret; rm root; echo tried`,
  },
  {
    what: 'cannot open local sockets',
    command: () =>
      python([
        'for family in (socket.AF_UNIX, 40, 38, 17):',
        '    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):',
        '        try: socket.socket(family, kind); print("ESCAPED", family)',
        '        except OSError: pass',
      ]),
  },
  {
    what: 'has no network',
    command: () =>
      `for a in 1.1.1.1/53 169.254.169.254/80 127.0.0.1/22; do (timeout 2 bash -c "exec 5<>/dev/tcp/$a") 2>/dev/null && echo ESCAPED $a; done
       [ "$(tail -n +3 /proc/net/dev | grep -vc ' lo:\\|^ *lo:')" = 0 ] || echo ESCAPED; echo tried`,
  },
  { what: 'cannot trace', command: () => call('libc.ptrace(0, 0, 0, 0)') },
  {
    what: 'cannot use io_uring',
    command: () => call('libc.syscall(425, 8, ctypes.create_string_buffer(120))'),
  },
  { what: 'cannot use the keyring', command: () => call(`libc.syscall(${numbers.keyctl}, 0, -3, 1)`) },
  {
    what: 'cannot load programs into the kernel',
    command: () => call(`libc.syscall(${numbers.bpf}, 0, 0, 0)`),
  },
  { what: 'cannot handle page faults', command: () => call(`libc.syscall(${numbers.userfaultfd}, 1)`) },
  { what: 'cannot mount', command: () => call('libc.mount(b"none", b"/tmp", b"tmpfs", 0, None)') },
  { what: 'cannot make a user namespace', command: () => call('libc.unshare(0x10000000)') },
  {
    what: 'cannot join another namespace',
    command: () => call('libc.setns(os.open("/proc/self/ns/net", 0), 0)'),
  },
  { what: 'cannot change its root', command: () => call('libc.chroot(b"/tmp")') },
  {
    what: 'cannot push characters into a terminal',
    command: () =>
      python([
        'import fcntl',
        'try: fcntl.ioctl(0, 0x5412, b"x"); print("ESCAPED")',
        'except OSError as e: print(e.errno)',
      ]),
    input: 'x',
  },
  {
    what: 'holds no descriptor of ours',
    command: (workspace) =>
      `for f in /proc/self/fd/*; do t=$(readlink $f); case $t in pipe:*|socket:*|/dev/null|/proc/*|/dev/pts/*|${workspace}*) ;; '') ;; *) echo ESCAPED $f $t;; esac; done; echo tried`,
  },
  {
    what: 'cannot take over through its environment',
    command: () =>
      `env | grep -Ei 'key|token|secret|passw' && echo ESCAPED; [ "$HOME" = /home/hermes ] || echo ESCAPED; echo tried`,
  },
];
