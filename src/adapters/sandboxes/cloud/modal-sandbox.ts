import { z } from 'zod';
import { fail } from '#kit/app-error';
import type { CommandSpec, Missing, Sandbox, SandboxPlace } from '#spec/ports';
import { goOnWithout } from '../go-on-without.ts';
import { newCommandKey } from '../containers/command-script.ts';
import { readScript, writeScript } from '../containers/file-scripts.ts';
import { superviseCommand } from '../containers/supervised-command.ts';
import { runningCommands } from '../process/running-commands.ts';
import { calledOff } from '../process/start-process.ts';
import { isGone } from './cloud-failure.ts';
import { type ModalApi, modalApi, until } from './modal-api.ts';
import { runInTask, startInTask } from './modal-exec.ts';
import { openRouter } from './modal-router.ts';
import type { Message } from '#kit/protobuf';
import { tell } from '#kit/text';
import { SecureUrl } from '#adapters/io/secure-url';

const KEYS = ['MODAL_TOKEN_ID', 'MODAL_TOKEN_SECRET'] as const;
const CREATE_IF_MISSING = 1;
const SUCCEEDED = 1;
const BUILD_MS = 30 * 60_000;
const SCHEDULING_MS = 5 * 60_000;
const LOOK_MS = 500;

/** The options of `modal` in `backends.yaml`. */
export const ModalOptions = z.strictObject({
  api_url: SecureUrl.default('https://api.modal.com'),
  app: z.string().min(1).default('hermes'),
  environment: z.string().default(''),
  image: z.string().min(1).regex(/^\S+$/).default('debian:stable-slim'),
  image_builder: z.string().default('2024.10'),
  cpus: z.number().positive().default(1),
  memory_mb: z.number().int().positive().optional(),
  /** Whether commands reach the internet. */
  network: z.boolean().default(false),
  workdir: z.string().startsWith('/').default('/workspace'),
  /** The sandbox ends after this time, whatever runs in it, and earlier when nobody uses it. */
  lifetime_minutes: z.number().int().min(1).max(1_440).default(1_440),
  idle_minutes: z.number().int().min(1).max(1_440).default(30),
});
export type ModalOptions = z.infer<typeof ModalOptions>;

export function modalMissing(place: SandboxPlace): Missing | undefined {
  const absent = KEYS.filter((name) => !place.key(name));
  if (absent.length === 0) return undefined;
  return {
    what: tell(
      `${absent.join(' and ')} ${absent.length > 1 ? 'are' : 'is'} not set.`,
      `没有设置 ${absent.join(' 和 ')}。`,
    ),
    fix: tell(
      'Create a token in the settings of the Modal workspace and save both of its parts.',
      '请在 Modal 工作区的设置中创建令牌,并保存它的两个部分。',
    ),
  };
}

/** A sandbox of Modal's cloud. The folder of this machine does not travel; files do, one by one. */
export async function openModal(options: ModalOptions, place: SandboxPlace): Promise<Sandbox> {
  const [tokenId, tokenSecret] = KEYS.map((name) => place.key(name));
  if (!tokenId || !tokenSecret) throw fail('tool.failed', modalMissing(place)?.what ?? '');
  const closing = new AbortController();
  const api = modalApi(options.api_url, { tokenId, tokenSecret }, closing.signal);
  const end = () => {
    closing.abort();
    api.close();
  };
  const id = await create(api, options, place).catch((thrown: unknown) => {
    end();
    throw thrown;
  });
  const terminate = async () => {
    await api.ask('SandboxTerminate', [[1, 'string', id]], 'end the sandbox').catch((thrown: unknown) => {
      if (!isGone(thrown)) throw thrown;
    });
  };
  try {
    return await connectSandbox(api, id, options, place, async () => {
      await terminate().finally(end);
    });
  } catch (thrown) {
    await terminate().catch(goOnWithout(place, `ending the sandbox ${id}, which did not start`));
    end();
    throw thrown;
  }
}

async function connectSandbox(
  api: ModalApi,
  id: string,
  options: ModalOptions,
  place: SandboxPlace,
  onClose: () => Promise<void>,
): Promise<Sandbox> {
  const workspace = options.workdir;
  const router = await openRouter(api, await taskOf(api, id));
  const made = await runInTask(router, ['mkdir', '-p', workspace]);
  if (made.code !== 0)
    throw fail('tool.failed', `${workspace} could not be made in the sandbox: ${made.stderr.trim()}`);
  const commands = runningCommands(place.name);
  const inside = { router, workspace, cpuSeconds: place.limits.cpuSeconds, place };
  const start = async (spec: CommandSpec, signal: AbortSignal) => {
    if (signal.aborted) return calledOff(spec.cwd ?? workspace);
    const key = newCommandKey();
    const exec = await startInTask(inside, spec, key);
    return superviseCommand(exec, spec, signal, { token: key.token, workspace, place });
  };
  const transfer = async (script: string, path: string, input?: Uint8Array): Promise<Uint8Array> => {
    commands.assertOpen();
    const { code, stdout, stderr } = await runInTask(router, ['sh', '-c', script, 'sh', path], input);
    if (code !== 0) throw fail('tool.failed', `${path}: ${stderr.trim().split('\n').at(-1)}`);
    return stdout;
  };
  return {
    name: place.name,
    workspace,
    isolation: 'remote',
    network: options.network,
    start: (spec, signal) => commands.add(() => start(spec, signal)),
    readFile: (path) => transfer(readScript, path),
    writeFile: async (path, bytes) => {
      await transfer(writeScript, path, bytes);
    },
    close: async () => {
      if (!(await commands.close())) return;
      await onClose();
      router.close();
    },
  };
}

/** An app to belong to, an image, a sandbox of it that sleeps. */
async function create(api: ModalApi, options: ModalOptions, place: SandboxPlace): Promise<string> {
  const app = await api.ask(
    'AppGetOrCreate',
    [
      [1, 'string', options.app],
      [2, 'string', options.environment],
      [3, 'uint', CREATE_IF_MISSING],
    ],
    'find the app',
  );
  const image = await buildImage(api, app.text(1), options);
  const sandbox = await api.ask(
    'SandboxCreate',
    [
      [1, 'string', app.text(1)],
      [
        2,
        'message',
        [
          [1, 'string', 'sleep'],
          [1, 'string', '172800'],
          [3, 'string', image],
          [
            5,
            'message',
            [
              [2, 'uint', options.memory_mb ?? place.limits.memoryMb],
              [3, 'uint', Math.round(options.cpus * 1_000)],
              [5, 'uint', options.memory_mb ?? place.limits.memoryMb],
              [7, 'uint', Math.round(options.cpus * 1_000)],
            ],
          ],
          [7, 'uint', options.lifetime_minutes * 60],
          [11, 'bool', !options.network],
          [33, 'uint', options.idle_minutes * 60],
        ],
      ],
    ],
    'create a sandbox',
  );
  return sandbox.text(1);
}

async function buildImage(api: ModalApi, app: string, options: ModalOptions): Promise<string> {
  const answer = await api.ask(
    'ImageGetOrCreate',
    [
      [2, 'message', [[6, 'string', `FROM ${options.image}`]]],
      [4, 'string', app],
      [9, 'string', options.image_builder],
    ],
    'build the image',
  );
  const image = answer.text(1);
  const done = (result: Message | undefined) => (result?.int(1) ? result : undefined);
  const { signal } = new AbortController();
  let last = '';
  const follow = async () => {
    const fields = [[1, 'string', image] as const, [2, 'float', 50] as const, [3, 'string', last] as const];
    const news = await api.askMany('ImageJoinStreaming', fields, 'build the image');
    last = news.map((item) => item.text(3)).findLast(Boolean) ?? last;
    return news.map((item) => done(item.message(1))).find(Boolean);
  };
  const waiting = { forMs: BUILD_MS, everyMs: LOOK_MS, signal };
  const result = done(answer.message(2)) ?? (await until(follow, waiting));
  if (!result) throw fail('tool.failed', `Modal did not build the image ${options.image} in time.`);
  refuseFailed(result, `Modal could not build the image ${options.image}`);
  return image;
}

async function taskOf(api: ModalApi, id: string): Promise<string> {
  const { signal } = new AbortController();
  const fields = [
    [1, 'string', id],
    [2, 'float', 20],
    [3, 'bool', true],
  ] as const;
  const task = await until(
    async () => {
      const answer = await api.ask('SandboxGetTaskId', fields, 'start the sandbox');
      refuseFailed(answer.message(2), 'The sandbox of Modal ended before it began');
      return answer.text(1) || undefined;
    },
    { forMs: SCHEDULING_MS, everyMs: LOOK_MS, signal },
  );
  if (!task) throw fail('tool.failed', 'Modal did not start the sandbox in time.');
  return task;
}

/** A result that is neither open nor a success. */
function refuseFailed(result: Message | undefined, what: string): void {
  const status = result?.int(1) ?? 0;
  if (status === 0 || status === SUCCEEDED) return;
  throw fail('tool.failed', `${what}: ${result?.text(2).slice(0, 300) || `state ${status}`}`);
}
