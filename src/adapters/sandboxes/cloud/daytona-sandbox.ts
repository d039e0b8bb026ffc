import { z } from 'zod';
import { fail } from '#kit/app-error';
import { sleep } from '#kit/sleep';
import { tell } from '#kit/text';
import type { CommandSpec, Missing, Sandbox, SandboxPlace } from '#spec/ports';
import { goOnWithout } from '../go-on-without.ts';
import { newCommandKey } from '../containers/command-script.ts';
import { superviseCommand } from '../containers/supervised-command.ts';
import { runningCommands } from '../process/running-commands.ts';
import { quoteWord } from '../process/shell-script.ts';
import { calledOff } from '../process/start-process.ts';
import { statusOf } from './cloud-failure.ts';
import {
  type DaytonaApi,
  type DaytonaSandbox,
  type DaytonaToolbox,
  daytonaApi,
  daytonaToolbox,
} from './daytona-api.ts';
import { startInSession } from './daytona-exec.ts';
import { httpApi } from './http-api.ts';
import { SecureUrl } from '#adapters/io/secure-url';

const KEY = 'DAYTONA_API_KEY';
const STARTING_MS = 180_000;
const LOOK_MS = 200;
const STEP_SECONDS = 30;

/** The options of `daytona` in `backends.yaml`. */
export const DaytonaOptions = z.strictObject({
  api_url: SecureUrl.default('https://app.daytona.io/api'),
  /** A prepared snapshot, or an image that one is built from. */
  snapshot: z.string().min(1).optional(),
  image: z.string().min(1).optional(),
  target: z.string().min(1).optional(),
  cpus: z.number().int().positive().optional(),
  memory_gb: z.number().int().positive().optional(),
  disk_gb: z.number().int().positive().optional(),
  /** Whether commands reach the internet. */
  network: z.boolean().default(false),
  workdir: z.string().startsWith('/').default('/home/daytona/hermes'),
  auto_stop_minutes: z.number().int().nonnegative().default(15),
});
export type DaytonaOptions = z.infer<typeof DaytonaOptions>;

export function daytonaMissing(place: SandboxPlace): Missing | undefined {
  if (place.key(KEY)) return undefined;
  return {
    what: tell(`${KEY} is not set.`, `没有设置 ${KEY}。`),
    fix: tell(
      `Create a key in the Daytona dashboard and save it as ${KEY}.`,
      `请在 Daytona 控制台创建密钥,并保存为 ${KEY}。`,
    ),
  };
}

/** A sandbox of Daytona's cloud. The folder of this machine does not travel; files do, one by one. */
export async function openDaytona(options: DaytonaOptions, place: SandboxPlace): Promise<Sandbox> {
  const key = place.key(KEY);
  if (!key) throw fail('tool.failed', `${KEY} is not set.`);
  const closing = new AbortController();
  const http = httpApi({ service: 'Daytona', keyName: KEY, key, signal: closing.signal });
  const api = daytonaApi(http, options.api_url);
  const made = await api.create(request(options, place.name));
  const workspace = options.workdir;
  const toolbox = await prepare(api, made, workspace, (url) => daytonaToolbox(http, url)).catch(
    async (thrown) => {
      await api
        .remove(made.id)
        .catch(goOnWithout(place, `removing the sandbox ${made.id}, which did not start`));
      throw thrown;
    },
  );
  const commands = runningCommands(place.name);
  const inside = { toolbox, headers: http.headers, workspace, cpuSeconds: place.limits.cpuSeconds };

  const start = async (spec: CommandSpec, signal: AbortSignal) => {
    if (signal.aborted) return calledOff(spec.cwd ?? workspace);
    const commandKey = newCommandKey();
    const exec = await startInSession(inside, spec, commandKey).catch(async (thrown: unknown) => {
      // A sandbox that nobody used for a while was stopped; its files are still there.
      if (!(await wake(api, made.id).catch(goOnWithout(place, 'waking the sandbox')))) throw thrown;
      return startInSession(inside, spec, commandKey);
    });
    return superviseCommand(exec, spec, signal, { token: commandKey.token, workspace, place });
  };

  return {
    name: place.name,
    workspace,
    isolation: 'remote',
    network: options.network,
    start: (spec, signal) => commands.add(() => start(spec, signal)),
    readFile: async (path) => {
      commands.assertOpen();
      return toolbox.download(path);
    },
    writeFile: async (path, bytes) => {
      commands.assertOpen();
      await upload(toolbox, path, bytes);
    },
    close: async () => {
      if (!(await commands.close())) return;
      await api.remove(made.id).catch((thrown: unknown) => {
        if (statusOf(thrown) !== 404) throw thrown;
      });
      closing.abort();
    },
  };
}

const request = (options: DaytonaOptions, name: string) => ({
  snapshot: options.snapshot,
  target: options.target,
  cpu: options.cpus,
  memory: options.memory_gb,
  disk: options.disk_gb,
  ...(options.image ? { buildInfo: { dockerfileContent: `FROM ${options.image}\n` } } : {}),
  labels: { hermes: name },
  autoStopInterval: options.auto_stop_minutes,
  // Removed a day after it was stopped, should nobody be left to do it.
  autoDeleteInterval: 24 * 60,
  networkBlockAll: !options.network,
});

async function prepare(
  api: DaytonaApi,
  made: DaytonaSandbox,
  workspace: string,
  open: (url: string) => DaytonaToolbox,
): Promise<DaytonaToolbox> {
  const started = await untilStarted(api, made);
  const toolbox = open(await api.toolboxUrl(started));
  const { exitCode } = await toolbox.execute(`mkdir -p ${quoteWord(workspace)}`, STEP_SECONDS);
  if (exitCode) throw fail('tool.failed', `The folder ${workspace} could not be made in the sandbox.`);
  return toolbox;
}

async function untilStarted(api: DaytonaApi, sandbox: DaytonaSandbox): Promise<DaytonaSandbox> {
  const until = Date.now() + STARTING_MS;
  for (let now = sandbox; ; now = await api.get(sandbox.id)) {
    if (now.state === 'started') return now;
    if (['error', 'build_failed', 'destroyed', 'destroying'].includes(now.state) || Date.now() > until) {
      const why = now.errorReason ? `: ${now.errorReason}` : '';
      throw fail('tool.failed', `The sandbox of Daytona did not start (${now.state})${why}`);
    }
    await sleep(LOOK_MS, new AbortController().signal);
  }
}

/** True when the sandbox had been stopped and runs again. */
async function wake(api: DaytonaApi, id: string): Promise<boolean> {
  const { state } = await api.get(id);
  if (!['stopped', 'archived'].includes(state)) return false;
  await api.start(id);
  await untilStarted(api, await api.get(id));
  return true;
}

async function upload(toolbox: DaytonaToolbox, path: string, bytes: Uint8Array): Promise<void> {
  const folder = path.slice(0, path.lastIndexOf('/')) || '/';
  const { exitCode, result } = await toolbox.execute(`mkdir -p -- ${quoteWord(folder)}`, STEP_SECONDS);
  if (exitCode) throw fail('tool.failed', `${path}: ${result?.trim() ?? 'its folder could not be made'}`);
  await toolbox.upload(path, bytes);
}
