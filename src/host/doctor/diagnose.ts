import { access, constants, stat } from 'node:fs/promises';
import { ignoreMissing } from '#adapters/io/ignore-missing';
import { say } from '#kit/text';
import { toErrorRecord } from '#kit/app-error';
import type { Language } from '#kit/language';
import { waited } from '#kit/waited';
import {
  type Diagnosis,
  type DoctorText,
  doctorText,
  type Finding,
  lookAtFallbacks,
  lookAtModel,
  lookAtReach,
  lookOnline,
} from '#app/doctor';
import { type Env, formatProblem } from '#config';
import { resolveHome } from '../home.ts';
import { type Host, openHost } from '../open-host.ts';
import { openOwnReach } from '../reach/open-reach.ts';
import { openSecretsFile } from '../secrets-file.ts';
import { viewBackends } from '../tools/home-backends.ts';
import { fileLooks, lookForUnread } from './file-looks.ts';
import { lookAtDisk, lookAtPort } from './machine-looks.ts';

type Looked = Pick<Host, 'gate' | 'home' | 'loaded' | 'log' | 'models' | 'plugins' | 'settings'>;
type Look = (host: Looked, text: DoctorText) => Promise<Finding>;

/** Nothing may take longer. */
const LIMIT_MS = 2_000;

/**
 * Looks at everything that has to hold before Hermes can do its work: all at once, each for two seconds at most. Yields
 * the findings in their order.
 */
export async function* diagnose(options: {
  readonly env: Env;
  readonly profile?: string | undefined;
  readonly version: string;
  readonly language: Language;
  readonly online: boolean;
  readonly signal: AbortSignal;
}): AsyncGenerator<Diagnosis> {
  const { env, profile, version, online, signal, language } = options;
  const text = doctorText[language];
  const { names } = text;
  yield {
    name: 'Node',
    state: 'good',
    detail: `${process.versions.node} (${process.platform}-${process.arch})`,
  };
  yield {
    name: names.home,
    ...(await safely(() => lookAtHome(resolveHome({ env, profile }).root, text), text)),
  };

  const opened = await openHost({ env, profile, version }).catch(toErrorRecord);
  if ('code' in opened) {
    yield { name: names.config, state: 'bad', detail: opened.message, fix: opened.hint };
    return;
  }
  try {
    const own = (
      [
        [names.config, lookAtConfig],
        [names.secrets, lookAtSecrets],
        [names.audit, lookAtAudit],
        [names.model, lookAtModel],
        [names.fallback, lookAtFallbacks],
        [names.sandbox, lookAtSandbox],
        [names.disk, lookAtDisk],
        [names.port, lookAtPort],
      ] as const satisfies readonly (readonly [string, Look])[]
    ).map(([name, look]) => [name, () => look(opened, text)] as const);
    const looks = [
      ...own,
      ...fileLooks(opened),
      [names.unread, () => lookForUnread(opened, language)] as const,
    ];
    const reaching = lookAtReach(() => openOwnReach(opened), language);
    const found = looks.map(async ([name, look]) => ({ name, ...(await safely(look, text)) }));
    for (const finding of found) yield await finding;
    for (const finding of await reaching) yield finding;
    if (online)
      yield {
        name: names.online,
        ...(await safely(() => lookOnline((question) => opened.probe(question, { signal }), text))),
      };
  } finally {
    await opened.close();
  }
}

/** Without `text`, it may take its time. */
async function safely(look: () => Promise<Finding>, text?: DoctorText): Promise<Finding> {
  const over = new AbortController();
  const late = async (limit: DoctorText): Promise<Finding> => {
    await waited(LIMIT_MS, over.signal);
    return { state: 'bad', detail: limit.late(LIMIT_MS / 1_000) };
  };
  try {
    return await (text ? Promise.race([look(), late(text)]) : look());
  } catch (thrown) {
    const { message, hint } = toErrorRecord(thrown);
    return { state: 'bad', detail: message, fix: hint };
  } finally {
    over.abort();
  }
}

async function lookAtHome(root: string, text: DoctorText): Promise<Finding> {
  const exists = await stat(root).catch(ignoreMissing);
  if (!exists) return { state: 'good', detail: text.notYet(root) };
  await access(root, constants.R_OK | constants.W_OK);
  return { state: 'good', detail: root };
}

const lookAtConfig: Look = async ({ loaded: { path, warnings } }) => {
  if (!warnings.length) return { state: 'good', detail: path };
  const detail = warnings.map((problem) => formatProblem(problem)).join('\n');
  return { state: 'warn', detail, fix: 'hermes config edit' };
};

const lookAtSecrets: Look = async ({ home }, text) => {
  const file = home.file('.env');
  const found = await stat(file).catch(ignoreMissing);
  if (!found) return { state: 'good', detail: text.noSecrets };
  const open = await openSecretsFile(home);
  if (open) return { state: 'bad', detail: text.openSecrets(file), fix: open.fix };
  return { state: 'good', detail: file };
};

/** The anchor is told where the log ends now: whether that works is what is asked. */
const lookAtAudit: Look = async (host, text) => {
  const { home, loaded } = host;
  const there = await stat(home.file('ledger.db')).catch(ignoreMissing);
  const { anchor = '' } = loaded.config.audit;
  if (!there && !anchor) return { state: 'good', detail: text.noAudit };
  const found = await (await host.gate()).audit.verify();
  if (!found.sound)
    return {
      state: 'bad',
      detail: text.brokenAudit(found.seq, found.problem),
      fix: 'hermes audit accept --reason "…"',
    };
  const { configuredAnchor } = await import('../gate/audit-anchor.ts');
  const head = { at: new Date().toISOString(), home: home.root, seq: found.entries, hash: found.head };
  await configuredAnchor(home, loaded)?.tell(head);
  return { state: found.breaks.length ? 'warn' : 'good', detail: text.audit(found.entries, anchor) };
};

const lookAtSandbox: Look = async (host, text) => {
  const backends = await viewBackends(host);
  const chosen = backends.find(({ isDefault }) => isDefault);
  const better = backends.find(({ type }) => type === 'bubblewrap');
  if (chosen?.missing)
    return { state: 'bad', detail: say(chosen.missing.what, 'en'), fix: say(chosen.missing.fix, 'en') };
  if (chosen?.type !== 'local') return { state: 'good', detail: chosen?.name ?? '' };
  const fix = better?.missing && say(better.missing.fix, 'en');
  return { state: 'warn', detail: text.noIsolation, fix };
};
