import { z } from 'zod';
import { Backend } from './containers.ts';
import { defineCommandAction } from '../define-command-action.ts';
import { ContainerName, Port } from '../endpoint.ts';
import { commandLine } from '../../running/command-line.ts';
import { answer } from '../../text/answer.ts';

export const tool = defineCommandAction({
  name: 'docker_run',
  description: 'Start a container in the background.',
  input: z.strictObject({
    image: z
      .string()
      .max(300)
      .regex(/^[\w][\w./:@-]*$/, 'a name of an image'),
    name: ContainerName.optional(),
    ports: z
      .array(
        z.strictObject({
          host: Port,
          container: Port,
          address: z
            .string()
            .regex(/^[\d.]+$/)
            .default('127.0.0.1'),
        }),
      )
      .default([]),
    env: z.record(z.string().regex(/^\w+$/), z.string()).default({}),
    args: z.array(z.string()).default([]),
    memory: z
      .string()
      .regex(/^\d+[kmg]?$/i)
      .optional(),
    restart: z.enum(['no', 'on-failure', 'unless-stopped', 'always']).default('no'),
    engine: z.enum(['docker', 'podman']).default('docker'),
    backend: Backend,
    timeout: z.number().positive().max(600).default(180),
  }),
  level: 2,
  timeoutS: 180,
  line: ({ image, name, ports, env, args, memory, restart, engine }) =>
    commandLine([
      engine,
      'run',
      '-d',
      ...(name === undefined ? [] : ['--name', name]),
      ...(memory === undefined ? [] : ['--memory', memory]),
      ...(restart === 'no' ? [] : ['--restart', restart]),
      ...ports.flatMap(({ host, container, address }) => ['-p', `${address}:${host}:${container}`]),
      ...Object.entries(env).flatMap(([key, value]) => ['-e', `${key}=${value}`]),
      image,
      ...args,
    ]),
  read({ stdout, ms }, { image, name, ports }) {
    const id = stdout.trim().split('\n').at(-1)?.slice(0, 12) ?? '';
    const text = `Started ${name ?? id} from ${image}.`;
    return answer(text, text, { container: name ?? id, id, image, ports, success: true, ms });
  },
});
