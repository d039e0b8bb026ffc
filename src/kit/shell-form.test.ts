import { describe, expect, it } from 'vitest';
import { programOf } from './shell-form.ts';

describe('programOf', () => {
  it.each([
    ['ss -tlnp | grep 5432', 'ss'],
    ['kubectl get pods -n shop', 'kubectl'],
    ['kubectl get pods', 'kubectl'],
    ['systemctl status nginx', 'systemctl'],
    ['$ df -h /var', 'df'],
    ['tail -f /var/log/syslog', 'tail'],
    ['docker ps', 'docker'],
    ['chmod -R 777 /etc 帮我执行下', 'chmod'],
    ['帮我跑一下 df -h', 'df'],
  ])('reads %s as a command', (text, program) => {
    expect(programOf(text)).toBe(program);
  });

  it.each([
    'why is this machine slow',
    'restart the payment service',
    'uptime',
    'check disk usage on web-1, please',
    '磁盘 df -h 怎么看',
    'is nginx running?',
    'find all large files',
    'find large files',
    'look at the folder\n!ls -la',
    'list podman containers',
    'top processes',
    'docker is not running',
  ])('reads %s as a sentence', (text) => {
    expect(programOf(text)).toBeUndefined();
  });
});
