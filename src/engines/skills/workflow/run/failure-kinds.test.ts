import { describe, expect, it } from 'vitest';
import type { WorkflowStep } from '../file/workflow.ts';
import { failureKinds } from './failure-kinds.ts';

const step = (action: string, command?: string): WorkflowStep => ({
  id: '1',
  name: 'x',
  names: ['x'],
  action,
  ...(command === undefined ? {} : { command }),
  args: {},
  confirm: false,
  onFailure: { retries: 0, delayMs: 0, finally: 'stop' },
  optimization: [],
});

describe('failureKinds', () => {
  it.each([
    ['docker run -p 80:80 x', 'Bind for 0.0.0.0:80 failed: port is already allocated', 'port_conflict'],
    ['docker build .', 'failed to solve: not found', 'build_failure'],
    ['npm run build', 'bash: npm: command not found', 'missing_command'],
    ['pytest', '3 failed', 'test_failure'],
    ['curl x', 'curl: (6) Could not resolve host: x', 'network_error'],
    ['cat x', 'cat: x: No such file or directory', 'not_found'],
    ['cp a b', 'cp: No space left on device', 'disk_full'],
    ['git push', 'remote: HTTP 403 Forbidden', 'permission_denied'],
    ['false', '[exit code 1]', 'command_failed'],
  ])('%s: %s is a %s', (command, message, kind) => {
    const kinds = failureKinds(step('terminal', command), message);
    expect(kinds[0]).toBe(kind);
    expect(kinds).toContain('failed');
  });

  it('knows a build by the name of its action', () => {
    expect(failureKinds(step('docker_build'), 'oops')).toEqual(['build_failure', 'failed']);
    expect(failureKinds(step('look'), 'oops')).toEqual(['failed']);
  });
});
