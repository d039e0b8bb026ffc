import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MachineReading } from '#spec/data';
import { readingLine, readingWords } from './reading-words.ts';

/** One of each kind, with something in every place that a call can fill. */
const READINGS = MachineReading.options.flatMap((option) =>
  [...option.shape.read.values].map((read) =>
    MachineReading.parse({
      read,
      ...('paths' in option.shape ? { paths: ['/var', "it's here"] } : {}),
      ...('path' in option.shape ? { path: '/srv/a b' } : {}),
      ...('pid' in option.shape ? { pid: 7 } : {}),
      ...('port' in option.shape ? { port: 80 } : {}),
      ...('units' in option.shape ? { units: ['nginx.service'] } : {}),
      ...('unit' in option.shape ? { unit: 'api', since: '1 hour ago', priority: 'err' } : {}),
      ...('names' in option.shape ? { names: ['nginx', 'g++'] } : {}),
      ...('name' in option.shape ? { name: 'openssl', manager: 'dpkg' } : {}),
      ...('engine' in option.shape ? { engine: 'docker' } : {}),
    }),
  ),
);

describe('readingWords', () => {
  it('are a program of a short list, and no shell', () => {
    // `timeout 20 du …` runs `du`.
    const programOf = ([first, , third]: readonly string[]) => (first === 'timeout' ? third : first) ?? '';
    const programs = new Set(READINGS.map((reading) => programOf(readingWords(reading))));
    expect([...programs].toSorted()).toEqual(
      (
        'apt cat chronyc date df dmesg docker dpkg-query du find free getent grep hostname ip iptables journalctl ' +
        'last lsblk lscpu lsof nft nproc nvidia-smi ps ss systemctl timedatectl uptime vmstat who'
      ).split(' '),
    );
  });

  it('write nothing and run nothing, whatever they are filled with', () => {
    const harmful = /^-(?:exec|execdir|ok|delete|fprint|fprintf|fls)/;
    for (const reading of READINGS)
      expect(readingWords(reading).some((word) => harmful.test(word))).toBe(false);
  });

  it('take what a call says as a name and never as an option or an operator', () => {
    const hostile = fc.oneof(
      fc.constantFrom('-exec', '--vacuum-size=1', '(', '!', ',', '-delete', '--root=/x', '\0', ''),
      fc.string(),
    );
    const isName = (text: string): boolean =>
      [
        { read: 'largest_folders', path: text },
        { read: 'large_files', path: text },
        { read: 'files_below', path: text },
        { read: 'disks', paths: [text] },
        { read: 'unit_states', units: [text] },
        { read: 'journal', unit: text },
        { read: 'named_processes', names: [text] },
        { read: 'package', name: text, manager: 'rpm' },
      ].every((asked) => !MachineReading.safeParse(asked).success || /^[^-(!,\0]/.test(text));
    const found = fc.check(fc.property(hostile, isName));
    expect(found.counterexample).toBeNull();
  });

  it('change nothing: programs that could are asked for a list alone', () => {
    const verbs: Readonly<Record<string, RegExp>> = {
      apt: / list --upgradable$/,
      date: /^date '\+/,
      dmesg: /^(?!.*(?: -[a-zA-Z]*[cCDEn]| --(?:clear|read-clear|console)))/,
      docker: /^docker ps /,
      hostname: /^hostname -I$/,
      ip: /^ip (?:-brief address|route show)$/,
      iptables: /^iptables -S$/,
      nft: /^nft list ruleset$/,
      systemctl: /^systemctl (?:show|list-units|list-timers) /,
      timedatectl: /^timedatectl show$/,
      chronyc: /^chronyc -n tracking$/,
      journalctl: /^(?!.*--(?:vacuum|rotate|flush|sync|relinquish))/,
    };
    for (const reading of READINGS)
      expect(readingLine(reading)).toMatch(verbs[readingWords(reading)[0]] ?? /./);
  });

  it('name at most ten programs, each by one word', () => {
    for (const name of ['a,b', 'a b', '-A', '1;2', ''])
      expect(MachineReading.safeParse({ read: 'named_processes', names: [name] }).success).toBe(false);
  });

  it('make a line that a shell reads as the same words', () => {
    const disks = MachineReading.parse({ read: 'disks', paths: ["it's; here", '/var'] });
    expect(readingLine(disks)).toBe(`df -P -k 'it'\\''s; here' /var`);
  });
});
