import { expect, it } from 'vitest';
import { backendLocation } from './backend-location.ts';

const located = (
  name: string,
  type: string,
  isolation: 'none' | 'process' | 'container' | 'remote',
  options?: unknown,
) => backendLocation({ name, type, deniedCommands: [], options }, { isolation }, 'on this machine');

it('names the place where commands of a backend run, and what is to be seen from there', () => {
  expect(located('local', 'local', 'none')).toEqual({ where: 'on this machine', reads: 'there' });
  expect(located('bubblewrap', 'bubblewrap', 'process')).toEqual({
    where: 'in the bubblewrap sandbox',
    reads: 'outside',
  });
  expect(located('box', 'bubblewrap', 'process').where).toBe("in the bubblewrap sandbox 'box'");
  expect(located('ci', 'docker', 'container')).toEqual({
    where: "in the docker container 'ci'",
    reads: 'there',
  });
  expect(located('web', 'ssh', 'remote', { host: 'web-1.example' })).toEqual({
    where: 'on ssh host web-1.example',
    reads: 'there',
  });
  expect(located('web', 'ssh', 'remote', { host: 'web-1.example', sandbox: true })).toEqual({
    where: 'in the sandbox on ssh host web-1.example',
    reads: 'hidden',
  });
  expect(located('far', 'modal', 'remote', {})).toMatchObject({ where: "in the modal sandbox 'far'" });
});
