import { z } from 'zod';
import { Backend } from '../actions-support/containers.ts';
import { defineCommandAction } from '../actions-support/define-command-action.ts';
import { commandLine } from '../ops-support/command-line.ts';
import { answer } from '../text/answer.ts';

const FIELDS = [
  'Id',
  'LoadState',
  'ActiveState',
  'SubState',
  'Result',
  'NRestarts',
  'MainPID',
  'Description',
];

export const tool = defineCommandAction({
  name: 'service_status',
  description: 'The states of services of systemd.',
  input: z.strictObject({
    services: z
      .array(
        z
          .string()
          .max(200)
          .regex(/^[A-Za-z0-9][\w.@:\\-]*$/, 'a name of a service'),
      )
      .min(1)
      .max(50),
    backend: Backend,
  }),
  level: 0,
  timeoutS: 30,
  line: ({ services }) =>
    commandLine([
      'systemctl',
      'show',
      '--no-pager',
      ...FIELDS.flatMap((field) => ['-p', field]),
      ...services,
    ]),
  read({ stdout }) {
    const services = stdout
      .trim()
      .split(/\n\s*\n/)
      .filter(Boolean)
      .map((block) => {
        const field = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(block)?.[1] ?? '';
        return {
          name: field('Id').replace(/\.service$/, ''),
          found: field('LoadState') !== 'not-found',
          state: field('ActiveState'),
          sub_state: field('SubState'),
          result: field('Result'),
          restarts: Number(field('NRestarts') || 0),
          pid: Number(field('MainPID') || 0),
          description: field('Description'),
          ok: field('ActiveState') === 'active',
        };
      });
    const failed = services.filter(({ ok }) => !ok);
    const items = failed.map(({ name, state, result, found }) => ({
      severity: state === 'failed' ? 'critical' : 'high',
      name,
      message: found
        ? `${state}${result && result !== 'success' ? ` (${result})` : ''}`
        : 'there is no such service',
    }));
    const lines = services.map(({ name, state, sub_state }) => `${name}: ${state} (${sub_state})`);
    return answer(lines.join('\n'), `${services.length - failed.length} of ${services.length} active`, {
      services,
      all_active: failed.length === 0,
      failed: failed.map(({ name }) => name),
      items,
      count: items.length,
    });
  },
});
