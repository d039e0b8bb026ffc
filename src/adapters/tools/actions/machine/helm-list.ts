import { z } from 'zod';
import { isRecord } from '#kit/is-record';
import { Backend } from './containers.ts';
import { defineCommandAction } from '../define-command-action.ts';
import { jsonOrText, listIn, stringIn } from '../loose.ts';
import { commandLine } from '../../running/command-line.ts';
import { answer, count } from '../../text/answer.ts';

const Name = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9][\w.@:/-]*$/);

export const tool = defineCommandAction({
  name: 'helm_list',
  description: 'The releases of Helm and their states.',
  input: z.strictObject({ namespace: Name.optional(), context: Name.optional(), backend: Backend }),
  level: 0,
  timeoutS: 60,
  brings: ['private'],
  line: ({ namespace, context }) =>
    commandLine([
      'helm',
      'list',
      '-o',
      'json',
      ...(namespace === undefined ? ['-A'] : ['-n', namespace]),
      ...(context === undefined ? [] : ['--kube-context', context]),
    ]),
  read({ stdout }) {
    const releases = listIn(jsonOrText(stdout))
      .filter(isRecord)
      .map((release) => ({
        name: stringIn(release, 'name') ?? '',
        namespace: stringIn(release, 'namespace') ?? '',
        revision: Number(release.revision ?? 0),
        status: stringIn(release, 'status') ?? '',
        chart: stringIn(release, 'chart') ?? '',
        app_version: stringIn(release, 'app_version') ?? '',
        updated: stringIn(release, 'updated') ?? '',
      }));
    const troubled = releases.filter(({ status }) => status !== 'deployed');
    const lines = releases.map(
      (one) => `${one.namespace}/${one.name} ${one.chart}: ${one.status} (revision ${one.revision})`,
    );
    return answer(lines.join('\n') || 'There are no releases.', count(releases.length, 'release'), {
      releases,
      count: releases.length,
      troubled,
    });
  },
});
