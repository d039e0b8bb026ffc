import { containerKind } from './container-sandbox.ts';

export const sandbox = containerKind({
  program: 'docker',
  rootlessProbe: ['info', '--format', '{{.SecurityOptions}}'],
  rootlessArgs: [],
});
