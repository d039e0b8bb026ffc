import { describe, expect, it } from 'vitest';
import { judgeCommand } from './judge-command.ts';

const judge = (command: string, listed: readonly (readonly string[])[] | undefined) =>
  judgeCommand(command, { lister: () => listed });

describe('the second parser', () => {
  it('changes nothing when it agrees', () =>
    expect(judge('echo hi', [['echo', 'hi']]).verdict).toBe('allow'));
  it('asks when it sees another command', () => {
    const { verdict, reasons } = judge('echo hi', [['echo'], ['rm', '-rf', 'x']]);
    expect(verdict).toBe('ask');
    expect(reasons.map(({ en }) => en)).toEqual(['Two parsers disagree about whether it runs `rm -rf x`.']);
  });
  it('asks when it cannot read what looks simple', () =>
    expect(judge('echo hi', undefined).verdict).toBe('ask'));
  it('is forgiven what its grammar lacks', () => {
    expect(judge('echo {a,b}', undefined).verdict).toBe('allow');
    expect(judge('time ls', [['time', 'ls']]).verdict).toBe('allow');
  });
  it('does not take a function for an unknown program', () => {
    expect(judge('f() { ls; }; f', [['ls'], ['f']]).verdict).toBe('allow');
  });
  it('looks into nested scripts', () => {
    const seen: string[] = [];
    const lister = (text: string) => {
      seen.push(text);
      return [];
    };
    judgeCommand("sh -c 'ls -l'", { lister });
    expect(seen).toEqual(["sh -c 'ls -l'", 'ls -l']);
  });
  it('cannot lift a verdict', () => expect(judge('rm -rf /', []).verdict).toBe('deny'));
});
