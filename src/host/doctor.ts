import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { toErrorRecord } from '#kit/app-error';
import type { Language } from '#kit/language';
import { type Host, openHost } from './open-host.ts';
import { type Env, resolveHome } from './home.ts';

/** What one look at the installation found. */
export interface Diagnosis {
  readonly name: Readonly<Record<Language, string>>;
  readonly state: 'good' | 'warn' | 'bad';
  readonly detail: string;
  /** How to mend it. */
  readonly fix?: string;
}

type Look = (host: Host) => Promise<Omit<Diagnosis, 'name'>>;

/** Looks at everything that has to hold before a model can answer. Yields each finding as it is known. */
export async function* diagnose(options: {
  readonly env: Env;
  readonly profile?: string | undefined;
  readonly version: string;
  readonly online: boolean;
  readonly signal: AbortSignal;
}): AsyncGenerator<Diagnosis> {
  const { env, profile, version, online, signal } = options;
  yield {
    name: { en: 'Node', zh: 'Node' },
    state: 'good',
    detail: `${process.versions.node} (${process.platform}-${process.arch})`,
  };
  yield await safely({ en: 'Home', zh: '主目录' }, () => lookAtHome(resolveHome({ env, profile }).root));

  const opened = await openHost({ env, profile, version }).catch(toErrorRecord);
  const config = { en: 'Configuration', zh: '配置' };
  if ('code' in opened) {
    yield {
      name: config,
      state: 'bad',
      detail: opened.message,
      ...(opened.hint ? { fix: opened.hint } : {}),
    };
    return;
  }
  const looks: readonly (readonly [Record<Language, string>, Look])[] = [
    [config, lookAtConfig],
    [{ en: 'Secrets', zh: '密钥文件' }, lookAtSecrets],
    [{ en: 'Model', zh: '模型' }, lookAtModel],
    [{ en: 'Stand-ins', zh: '备用模型' }, lookAtFallbacks],
    ...(online ? [[{ en: 'Answer', zh: '应答' }, (host: Host) => lookOnline(host, signal)] as const] : []),
  ];
  for (const [name, look] of looks) yield await safely(name, () => look(opened));
}

async function safely(
  name: Diagnosis['name'],
  look: () => Promise<Omit<Diagnosis, 'name'>>,
): Promise<Diagnosis> {
  try {
    return { name, ...(await look()) };
  } catch (thrown) {
    const { message, hint } = toErrorRecord(thrown);
    return { name, state: 'bad', detail: message, ...(hint ? { fix: hint } : {}) };
  }
}

async function lookAtHome(root: string): Promise<Omit<Diagnosis, 'name'>> {
  const exists = await stat(root).catch(() => undefined);
  if (!exists) return { state: 'good', detail: `${root} (made at the first change; ${dirname(root)})` };
  await access(root, constants.R_OK | constants.W_OK);
  return { state: 'good', detail: root };
}

const lookAtConfig: Look = async ({ loaded }) => {
  const { path, warnings } = loaded;
  if (!warnings.length) return { state: 'good', detail: path };
  const detail = warnings.map(({ path: key, message }) => `${key}: ${message}`).join('\n');
  return { state: 'warn', detail, fix: 'hermes config edit' };
};

const lookAtSecrets: Look = async ({ home }) => {
  const file = home.file('.env');
  const found = await stat(file).catch(() => undefined);
  if (!found) return { state: 'good', detail: 'no .env' };
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) {
    return { state: 'bad', detail: `${file} can be read by others`, fix: `chmod 600 ${file}` };
  }
  return { state: 'good', detail: file };
};

const lookAtModel: Look = async (host) => {
  const models = await host.models();
  const { primary } = models;
  if (!primary)
    return { state: 'warn', detail: 'none connected: the built-in operator answers', fix: 'hermes model' };
  const { info } = await models.open(primary);
  const window = `${Math.round(info.contextWindow / 1000)}K`;
  return { state: 'good', detail: `${info.provider}/${info.model} over ${info.protocol}, window ${window}` };
};

const lookAtFallbacks: Look = async (host) => {
  const { fallback } = host.loaded.config.llm;
  if (!fallback.length) return { state: 'good', detail: '–' };
  const models = await host.models();
  if (models.primary) await models.turn('');
  if (!models.problems.length)
    return {
      state: 'good',
      detail: fallback.map(({ provider, model }) => [provider, model].filter(Boolean).join('/')).join(' → '),
    };
  const fix = models.problems.find(({ hint }) => hint)?.hint;
  return {
    state: 'warn',
    detail: models.problems.map(({ message }) => message).join('\n'),
    ...(fix ? { fix } : {}),
  };
};

async function lookOnline(host: Host, signal: AbortSignal): Promise<Omit<Diagnosis, 'name'>> {
  const started = performance.now();
  const message = {
    role: 'user',
    content: [{ type: 'text', text: 'Reply with the single word: ready' }],
  } as const;
  const { events } = await host.ask([{ ...message, content: [...message.content] }], {
    conversation: 'doctor',
    signal,
  });
  const outcome = await events.result();
  if (outcome.status === 'failed') {
    const { message: detail, hint } = outcome.error;
    return { state: 'bad', detail, ...(hint ? { fix: hint } : {}) };
  }
  return { state: 'good', detail: `${((performance.now() - started) / 1000).toFixed(1)} s` };
}
