import { z } from 'zod';
import { Backend, Engine, engineLine, parseContainers } from './containers.ts';
import { defineCommandAction } from '../define-command-action.ts';
import { ContainerName } from '../endpoint.ts';
import { answer } from '../../text/answer.ts';

const input = z.strictObject({
  name: ContainerName.optional().describe('only this one'),
  state: z.enum(['all', 'running', 'exited']).default('all'),
  engine: Engine,
  backend: Backend,
});

export const tool = defineCommandAction<z.infer<typeof input>>({
  name: 'container_list',
  description: 'The containers of Docker or Podman and their states.',
  input,
  level: 0,
  timeoutS: 30,
  line: ({ engine }) => engineLine(engine, ['ps', '--all', '--no-trunc', '--format', '{{json .}}']),
  read({ stdout }, { name, state }) {
    const containers = parseContainers(stdout)
      .filter((container) => name === undefined || container.name === name || container.id.startsWith(name))
      .filter((container) => state === 'all' || container.state === state);
    const running = containers.filter((container) => container.state === 'running').length;
    const lines = containers.map((one) => `${one.name} (${one.image}): ${one.status}`);
    return answer(
      lines.join('\n') || 'There are no such containers.',
      `${running} of ${containers.length} running`,
      {
        containers,
        count: containers.length,
        running,
        stopped: containers
          .filter((container) => container.state !== 'running')
          .map((container) => container.name),
        unhealthy: containers
          .filter(({ status }) => /unhealthy/.test(status))
          .map((container) => container.name),
      },
    );
  },
});
