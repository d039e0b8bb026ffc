import { describe, expect, it } from 'vitest';
import { isCommand } from './is-command.ts';

describe('isCommand', () => {
  it.each(['/help', '/title a new name', '/new-session', '/帮助'])('%s is one', (line) => {
    expect(isCommand(line)).toBe(true);
  });
  it.each(['/var/log/app is full', '/ is full', 'see /help', '/etc/hosts', '//'])('%s is none', (line) => {
    expect(isCommand(line)).toBe(false);
  });
});
