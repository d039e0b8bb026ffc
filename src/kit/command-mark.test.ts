import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { markedWords, markIn, markLine, newMark } from './command-mark.ts';

const LIMITS = 'cat /proc/self/limits';
/** Ways in which a process can leave where it came from. */
const WAYS: Readonly<Record<string, string>> = {
  'another program': LIMITS,
  'an empty environment': `env -i ${LIMITS}`,
  'a session of its own': `setsid -w ${LIMITS}`,
  'a fork of a fork': `( ( ${LIMITS} ) & wait ) & wait`,
  'taking the limit off': `ulimit -x unlimited; ulimit -S -x unlimited; ${LIMITS}`,
  'lowering it': `ulimit -x 7; ${LIMITS}`,
};
const run = (script: string, shell = 'bash') => {
  // Root may take it off; the sandbox takes that power from what root runs.
  const held = ['--bounding-set=-sys_resource', '--inh-caps=-sys_resource', '--'];
  const words = process.getuid?.() === 0 ? ['setpriv', ...held, shell] : [shell];
  const [file = shell, ...args] = words;
  return execFileSync(file, [...args, '-c', script], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
};

describe.skipIf(process.platform !== 'linux')('the mark of a command', () => {
  it.each(Object.entries(WAYS))('outlives %s', (_, way) => {
    expect(markIn(run(`${markLine(newMark())}; ${way}`))).toBeDefined();
  });

  it.each(['bash', 'sh'])('is put on by %s and says which command it is', (shell) => {
    const mark = newMark();
    expect(markIn(run(`${markLine(mark)}; ${LIMITS}`, shell))).toBe(mark);
  });

  it('is put on programs that no shell starts', () => {
    const mark = newMark();
    const [file, args] = markedWords(mark, ['cat', '/proc/self/limits']);
    expect(markIn(execFileSync(file, args, { encoding: 'utf8' }))).toBe(mark);
  });

  it('is on nothing else', () => {
    expect(markIn(run(LIMITS))).toBeUndefined();
  });
});
