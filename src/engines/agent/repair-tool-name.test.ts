import { describe, expect, it } from 'vitest';
import { repairToolName } from './repair-tool-name.ts';

const KNOWN = ['read_file', 'write_file', 'search_files', 'session_search', 'todo', 'patch', 'clarify'];

describe('repairToolName', () => {
  it.each([
    ['read_file', 'read_file'],
    ['Read-File', 'read_file'],
    ['read file', 'read_file'],
    ['  READ  FILE ', 'read_file'],
    ['raed_file', 'read_file'],
    ['readfile', 'read_file'],
    ['read_files', 'read_file'],
    ['serach_files', 'search_files'],
    ['session-serach', 'session_search'],
    ['Todo', 'todo'],
    ['todos', 'todo'],
  ])('takes %j for %s', (written, meant) => {
    expect(repairToolName(written, KNOWN)).toBe(meant);
  });

  it.each(['', 'x', 'delete_file', 'terminal', 'get_weather', 'read_mail', 'batch_job', 'undo'])(
    'does not guess at %j',
    (written) => {
      expect(repairToolName(written, KNOWN)).toBeUndefined();
    },
  );

  it('prefers the name as written over one that is alike', () => {
    expect(repairToolName('Read_File', ['read_file', 'Read_File'])).toBe('Read_File');
  });
});
