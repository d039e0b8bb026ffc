import { containerKind } from './container-sandbox.ts';

/** Without root, the user of this machine keeps their number inside, so that the workspace stays theirs. */
export const sandbox = containerKind({
  program: 'podman',
  rootlessProbe: ['info', '--format', '{{.Host.Security.Rootless}}'],
  rootlessArgs: ['--userns', 'keep-id'],
});
