import { describe, expect, it } from 'vitest';
import { judgeCommand } from './judge-command.ts';
import { ALLOWED } from '#testkit/shell-commands';

/** `l` in the workspace is a link to the folder around it. */
const guarded = {
  paths: ['/srv/x/home'],
  userHome: '/srv/x',
  links: (folder: string) => (folder === '/srv/x/project' ? [{ name: 'l', target: '/srv/x' }] : []),
  real: (path: string) => path.replace(/^\/srv\/x\/project\/l(?=\/|$)/, '/srv/x'),
};
const place = { workspace: '/srv/x/project', cwd: '/srv/x/project' };
const verdict = (command: string) => judgeCommand(command, { ...place, guarded }).verdict;

describe('on a machine where nothing is hidden', () => {
  it.each([
    'cd ..; cat home/.env',
    "bash -c 'cd /srv && cat x/home/ledger.db'",
    'D=..; cat $D/home/config.yaml',
    'cat ../{home,y}/config.yaml',
    'cat l/home/config.yaml',
    'wc -l < l/home/config.yaml',
    "sed -n 'r../home/config.yaml' notes.txt",
    `python3 -c "print(open('../home/config.yaml').read())"`,
    'dd if=../home/config.yaml',
    'cd ~/home',
  ])('denies %s', (command) => expect(verdict(command)).toBe('deny'));

  it.each([
    'grep -r . ..',
    'grep -r . /srv',
    'grep -r KEY /',
    'find .. -name .env -exec base64 {} +',
    'find .. -type f | cpio -o',
    'ln -s .. link',
    'ln -s /srv/x link',
    'cp -r ../. stolen',
    'cp -r l stolen',
    'cp -r ~ stolen',
    'tar c ..',
    'diff -r .. .',
    'git -C .. grep KEY',
    'cd .. && grep -r KEY',
    'cd / && grep -r KEY srv',
    'cd .. && rg KEY',
    'cat ../*/config.yaml',
    'cat ../h?me/config.yaml',
    'for f in ../*/config.yaml; do cat "$f"; done',
    'cat /srv/**/config.yaml',
    'cat */home/config.yaml',
    'grep -r KEY *',
    'tar ch .',
    'diff -r . other',
    'cat $(cat list)',
    'read x < list; cat $x',
    'cat < $x',
    'xargs -a list cat',
    'cat "$(dirname "$(pwd)")/home/config.yaml"',
    'cd "$x" && cat config.yaml',
    'sort --files0-from=list',
    'grep -R KEY .',
    'find -L . -name x -exec cat {} +',
    'ls -R ..',
    'echo .. | xargs grep -r KEY',
  ])('asks before %s', (command) => {
    expect(verdict(command)).toBe('ask');
  });

  it.each([
    'ls /',
    'ls -la ..',
    'ls ~',
    'stat /srv',
    'cd ..',
    'cd / && ls',
    'cd && pwd',
    'df -h /',
    'echo $HOME',
    'grep -r . src',
    'rg KEY',
    'grep -r KEY src/*',
    'cat *',
    'wc -l src/*/x.py',
    'find . -name x',
    'cat notes.txt | cut -d/ -f2',
    'for f in *.log; do grep ERROR "$f"; done',
    'ssh-keygen --help',
    'head -n "$((2 + 3))" notes.txt',
  ])('allows %s', (command) => expect(verdict(command)).toBe('allow'));

  it('takes code that opens files for a program', () => {
    const level = (code: string) => judgeCommand(`python3 -c "${code}"`, { ...place, guarded }).level;
    expect(level("print(open('../ho' + 'me/c').read())")).toBe(2);
    expect(level('import json, sys; print(json.load(sys.stdin))')).toBe(1);
  });

  it('asks about few ordinary commands that only read', () => {
    const rows = Object.values(ALLOWED).flat();
    const asked = rows.filter((row) => judgeCommand(row, place).level < 2 && verdict(row) !== 'allow');
    expect(asked.length / rows.length).toBeLessThan(0.02);
  });

  it('makes no difference where the place is hidden', () => {
    expect(judgeCommand('grep -r . ..', place).verdict).toBe('allow');
  });
});
