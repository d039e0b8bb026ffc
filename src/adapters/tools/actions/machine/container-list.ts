import { z } from 'zod';
import { readingLine } from '#kit/reading-words';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { Backend, parseContainers } from './containers.ts';
import { ContainerName } from '../endpoint.ts';
import { placed } from '../placed.ts';
import { complaintOf, runLine } from '../run-line.ts';
import { answer, refusal } from '../../text/answer.ts';

const input = z.strictObject({
  name: ContainerName.optional().describe('only this one'),
  state: z.enum(['all', 'running', 'exited']).default('all'),
  engine: z.enum(['docker', 'podman']).default('docker'),
  backend: Backend,
});
type Input = z.infer<typeof input>;

const TIME_S = 30;
const reading = ({ engine }: Input) => ({ read: 'containers', engine }) as const;

export const tool = defineTool<Input>({
  name: 'container_list',
  toolset: 'actions',
  description: 'The containers of Docker or Podman on the machine and their states.',
  input,
  deferred: true,
  level: 0,
  effect: () => 0,
  footprint: () => ({}),
  deed: (asked) => ({
    command: {
      text: readingLine(reading(asked)),
      reading: reading(asked),
      ...(asked.backend === undefined ? {} : { backend: asked.backend }),
    },
  }),
  run: list,
});

async function list(asked: Input, context: ToolContext): Promise<ToolResult> {
  const { backend } = asked;
  const options = { backend, timeoutS: TIME_S, reading: reading(asked) };
  const end = await runLine(readingLine(reading(asked)), options, context);
  if (end.stopped === undefined && end.code === 0) return placed(shown(end.stdout, asked), end.place);
  const why = `container_list failed${end.place ? ` ${end.place}` : ''}.\n${complaintOf(end)}`;
  return refusal(asked.engine === 'podman' ? why : `${why}\nWith Podman: engine: podman.`);
}

function shown(stdout: string, { name, state }: Input): ToolResult {
  const containers = parseContainers(stdout)
    .filter((container) => name === undefined || container.name === name || container.id.startsWith(name))
    .filter((container) => state === 'all' || container.state === state);
  const isRunning = (container: (typeof containers)[number]) => container.state === 'running';
  const running = containers.filter(isRunning).length;
  const lines = containers.map((one) => `${one.name} (${one.image}): ${one.status}`);
  return answer(
    lines.join('\n') || 'There are no such containers.',
    `${running} of ${containers.length} running`,
    {
      containers,
      count: containers.length,
      running,
      stopped: containers.filter((one) => !isRunning(one)).map((container) => container.name),
      unhealthy: containers
        .filter(({ status }) => /unhealthy/.test(status))
        .map((container) => container.name),
    },
  );
}
