import { z } from 'zod';
import { Backend } from './containers.ts';
import { defineCommandAction } from '../define-command-action.ts';
import { commandLine } from '../../running/command-line.ts';
import { answer } from '../../text/answer.ts';

export const tool = defineCommandAction({
  name: 'docker_build',
  description: 'Build an image from a Dockerfile.',
  input: z.strictObject({
    tag: z
      .string()
      .max(200)
      .regex(/^[\w][\w./:-]*$/, 'a name of an image'),
    context: z
      .string()
      .min(1)
      .regex(/^[^-\0]/)
      .default('.'),
    file: z
      .string()
      .min(1)
      .regex(/^[^-\0]/)
      .optional(),
    build_args: z.record(z.string().regex(/^\w+$/), z.string()).default({}),
    target: z
      .string()
      .regex(/^[\w.-]+$/)
      .optional(),
    no_cache: z.boolean().default(false),
    engine: z.enum(['docker', 'podman']).default('docker'),
    backend: Backend,
    timeout: z.number().positive().max(600).default(600),
  }),
  level: 2,
  timeoutS: 600,
  line: ({ tag, context, file, build_args, target, no_cache, engine }) =>
    commandLine([
      engine,
      'build',
      '-t',
      tag,
      ...(file === undefined ? [] : ['-f', file]),
      ...(target === undefined ? [] : ['--target', target]),
      ...(no_cache ? ['--no-cache'] : []),
      ...Object.entries(build_args).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]),
      context,
    ]),
  read({ stdout, stderr, ms }, { tag }) {
    const said = `${stdout}\n${stderr}`;
    const image = /sha256:([0-9a-f]{12,64})|Successfully built ([0-9a-f]{12})|^([0-9a-f]{64})$/m.exec(said);
    const id = image?.[1] ?? image?.[2] ?? image?.[3] ?? null;
    const cached = said.match(/\bCACHED\b|Using cache/g)?.length ?? 0;
    const text = `Built ${tag} in ${Math.round(ms / 1_000)} s (${cached} steps from the cache).`;
    return answer(text, text, { image: tag, id, success: true, cached_steps: cached, ms });
  },
});
