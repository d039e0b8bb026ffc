import { z } from 'zod';
import { Backend } from './containers.ts';
import { defineCommandAction } from '../define-command-action.ts';
import { HostName } from '../endpoint.ts';
import { commandLine } from '../../running/command-line.ts';
import { answer, count } from '../../text/answer.ts';

const input = z.strictObject({
  name: HostName,
  type: z
    .enum(['address', 'A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'SRV', 'SOA'])
    .default('address')
    .describe('address: as programs of the machine resolve it; the others need dig'),
  backend: Backend,
});

export const tool = defineCommandAction<z.infer<typeof input>>({
  name: 'dns_lookup',
  description: 'What a name resolves to, from where commands run.',
  input,
  level: 0,
  timeoutS: 20,
  brings: ['untrusted'],
  line: ({ name, type }) =>
    type === 'address'
      ? commandLine(['getent', 'ahosts', name])
      : commandLine(['dig', '+short', '+time=3', '+tries=2', name, type]),
  // getent says with 2 that there is no such name.
  codes: [2],
  read({ stdout, code }, { name, type }) {
    const lines = stdout
      .split('\n')
      .map((line) => (type === 'address' ? (line.split(/\s/)[0] ?? '') : line.trim()));
    const records = [...new Set(lines.filter((line) => line !== '' && !line.startsWith(';')))].slice(0, 100);
    const found = code === 0 && records.length > 0;
    return answer(
      records.join('\n') || `${name} has no ${type}.`,
      `${count(records.length, 'record')} of ${name}`,
      {
        name,
        type,
        records,
        found,
      },
    );
  },
});
