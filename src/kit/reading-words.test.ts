import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MachineReading } from '#spec/data';
import { readingLine, readingWords } from './reading-words.ts';

/** One of each kind, with something in every place that a call can fill. */
const READINGS = MachineReading.options.map((option) => {
  const kind = option.shape.read.value;
  return MachineReading.parse({
    read: kind,
    ...('paths' in option.shape ? { paths: ['/var', "it's here"] } : {}),
    ...('path' in option.shape ? { path: '/srv/a b' } : {}),
    ...('pid' in option.shape ? { pid: 7 } : {}),
    ...('port' in option.shape ? { port: 80 } : {}),
    ...('units' in option.shape ? { units: ['nginx.service'] } : {}),
    ...('unit' in option.shape ? { unit: 'api', since: '1 hour ago', priority: 'err' } : {}),
  });
});

describe('readingWords', () => {
  it('are a program of a short list, and no shell', () => {
    const programs = new Set(READINGS.map((reading) => readingWords(reading)[0]));
    expect([...programs].toSorted()).toEqual(
      'cat df du find free grep journalctl lsof nproc ps ss systemctl uptime vmstat'.split(' '),
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
      ].every((asked) => !MachineReading.safeParse(asked).success || /^[^-(!,\0]/.test(text));
    const found = fc.check(fc.property(hostile, isName));
    expect(found.counterexample).toBeNull();
  });

  it('make a line that a shell reads as the same words', () => {
    const disks = MachineReading.parse({ read: 'disks', paths: ["it's; here", '/var'] });
    expect(readingLine(disks)).toBe(`df -P -k 'it'\\''s; here' /var`);
  });
});
