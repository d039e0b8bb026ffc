import { tell } from '#kit/text';
import { z } from 'zod';
import { UnitName } from '#spec/data';
import { Backend } from './containers.ts';
import { defineReadingAction } from '../define-command-action.ts';
import { answer } from '../../text/answer.ts';

export const tool = defineReadingAction({
  name: 'service_status',
  description: 'The states of services of systemd.',
  input: z.strictObject({
    services: z.array(UnitName).min(1).max(50),
    backend: Backend,
  }),
  timeoutS: 30,
  reading: ({ services }) => ({ read: 'unit_states', units: services }),
  read({ stdout }, _asked, language) {
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
        : tell('there is no such service', '没有这个服务')[language],
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
