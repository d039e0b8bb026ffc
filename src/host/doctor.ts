import { access, constants, stat } from 'node:fs/promises';
import { toErrorRecord } from '#kit/app-error';
import type { Language } from '#kit/language';
import { type Env, resolveHome } from './home.ts';
import { type Host, openHost } from './open-host.ts';

/** What one look at the installation found. */
export interface Diagnosis {
  readonly name: string;
  readonly state: 'good' | 'warn' | 'bad';
  readonly detail: string;
  /** How to mend it. */
  readonly fix?: string | undefined;
}

type Finding = Omit<Diagnosis, 'name'>;
type Look = (host: Host, text: DoctorText) => Promise<Finding>;

const TEXTS = {
  en: {
    names: {
      home: 'Home',
      config: 'Configuration',
      secrets: 'Secrets',
      model: 'Model',
      fallback: 'Stand-ins',
      sandbox: 'Sandbox',
      online: 'Answer',
    },
    notYet: (root: string) => `${root} (made at the first change)`,
    noSecrets: 'no .env',
    openSecrets: (file: string) => `${file} can be read by others`,
    noModel: 'none connected: the built-in operator answers',
    model: (name: string, protocol: string, window: string) => `${name} over ${protocol}, window ${window}`,
    noIsolation: 'commands run on this machine without isolation, and ask more often',
    aborted: 'stopped',
  },
  zh: {
    names: {
      home: '主目录',
      config: '配置',
      secrets: '密钥文件',
      model: '模型',
      fallback: '备用模型',
      sandbox: '沙箱',
      online: '应答',
    },
    notYet: (root: string) => `${root}(首次修改时创建)`,
    noSecrets: '没有 .env',
    openSecrets: (file: string) => `${file} 可被其他用户读取`,
    noModel: '未接入:由内置操作员回答',
    model: (name: string, protocol: string, window: string) => `${name},协议 ${protocol},窗口 ${window}`,
    noIsolation: '命令在本机运行,没有隔离,会更常询问',
    aborted: '已停止',
  },
} satisfies Record<Language, unknown>;

type DoctorText = (typeof TEXTS)['en'];

/** Looks at everything that has to hold before a model can answer. Yields each finding as it is known. */
export async function* diagnose(options: {
  readonly env: Env;
  readonly profile?: string | undefined;
  readonly version: string;
  readonly language: Language;
  readonly online: boolean;
  readonly signal: AbortSignal;
}): AsyncGenerator<Diagnosis> {
  const { env, profile, version, online, signal } = options;
  const text = TEXTS[options.language];
  const { names } = text;
  yield {
    name: 'Node',
    state: 'good',
    detail: `${process.versions.node} (${process.platform}-${process.arch})`,
  };
  yield { name: names.home, ...(await safely(() => lookAtHome(resolveHome({ env, profile }).root, text))) };

  const opened = await openHost({ env, profile, version }).catch(toErrorRecord);
  if ('code' in opened) {
    yield { name: names.config, state: 'bad', detail: opened.message, fix: opened.hint };
    return;
  }
  const looks: readonly (readonly [string, Look])[] = [
    [names.config, lookAtConfig],
    [names.secrets, lookAtSecrets],
    [names.model, lookAtModel],
    [names.fallback, lookAtFallbacks],
    [names.sandbox, lookAtSandbox],
  ];
  for (const [name, look] of looks) yield { name, ...(await safely(() => look(opened, text))) };
  if (online) yield { name: names.online, ...(await safely(() => lookOnline(opened, signal, text))) };
}

async function safely(look: () => Promise<Finding>): Promise<Finding> {
  try {
    return await look();
  } catch (thrown) {
    const { message, hint } = toErrorRecord(thrown);
    return { state: 'bad', detail: message, fix: hint };
  }
}

async function lookAtHome(root: string, text: DoctorText): Promise<Finding> {
  const exists = await stat(root).catch(() => undefined);
  if (!exists) return { state: 'good', detail: text.notYet(root) };
  await access(root, constants.R_OK | constants.W_OK);
  return { state: 'good', detail: root };
}

const lookAtConfig: Look = async ({ loaded: { path, warnings } }) => {
  if (!warnings.length) return { state: 'good', detail: path };
  const detail = warnings.map(({ path: key, message }) => `${key}: ${message}`).join('\n');
  return { state: 'warn', detail, fix: 'hermes config edit' };
};

const lookAtSecrets: Look = async ({ home }, text) => {
  const file = home.file('.env');
  const found = await stat(file).catch(() => undefined);
  if (!found) return { state: 'good', detail: text.noSecrets };
  const open = process.platform !== 'win32' && (found.mode & 0o077) !== 0;
  if (open) return { state: 'bad', detail: text.openSecrets(file), fix: `chmod 600 ${file}` };
  return { state: 'good', detail: file };
};

const lookAtSandbox: Look = async (host, text) => {
  const { viewBackends } = await import('./tools/view-backends.ts');
  const backends = await viewBackends(host);
  const chosen = backends.find(({ isDefault }) => isDefault);
  const better = backends.find(({ type }) => type === 'bubblewrap');
  if (chosen?.missing) return { state: 'bad', detail: chosen.missing.what, fix: chosen.missing.fix };
  if (chosen?.type !== 'local') return { state: 'good', detail: chosen?.name ?? '' };
  return { state: 'warn', detail: text.noIsolation, fix: better?.missing?.fix };
};

const lookAtModel: Look = async (host, text) => {
  const models = await host.models();
  if (!models.primary) return { state: 'warn', detail: text.noModel, fix: 'hermes model' };
  const { info } = await models.open(models.primary);
  const window = `${Math.round(info.contextWindow / 1000)}K`;
  return { state: 'good', detail: text.model(`${info.provider}/${info.model}`, info.protocol, window) };
};

const lookAtFallbacks: Look = async (host) => {
  const { fallback } = host.loaded.config.llm;
  const models = await host.models();
  if (models.primary && fallback.length) await models.turn('');
  if (models.problems.length) {
    const detail = models.problems.map(({ message }) => message).join('\n');
    return { state: 'warn', detail, fix: models.problems.find(({ hint }) => hint)?.hint };
  }
  const chain = fallback.map(({ provider, model }) => [provider, model].filter(Boolean).join('/'));
  return { state: 'good', detail: chain.join(' → ') || '–' };
};

async function lookOnline(host: Host, signal: AbortSignal, text: DoctorText): Promise<Finding> {
  const started = performance.now();
  const events = await host.probe('Reply with the single word: ready', { signal });
  const outcome = await events.result();
  if (outcome.status === 'failed')
    return { state: 'bad', detail: outcome.error.message, fix: outcome.error.hint };
  if (outcome.status === 'aborted') return { state: 'bad', detail: text.aborted };
  return { state: 'good', detail: `${((performance.now() - started) / 1000).toFixed(1)} s` };
}
