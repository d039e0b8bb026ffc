import * as clack from '@clack/prompts';
import pc from 'picocolors';
import {
  type Host,
  type ProviderView,
  resolveHome,
  secretNamer,
  setConfigValue,
  unsetConfigValue,
} from '#host';
import { listProviderModels, viewProviders } from '#host/models/list-known';
import { parseRef } from '#app/models';
import type { ModelInfo } from '#spec/data';
import { type CliContext, defineCommand } from '../command.ts';
import { EXIT, exitCodeOf } from '../exit-code.ts';
import { showError } from '../show-error.ts';
import { table } from '../table.ts';

export const command = defineCommand({
  summary: { en: 'list, test and pick models', zh: '列出、测试与选择模型' },
  build: (cli, run, context) => {
    const { text } = context;
    cli.helpCommand(false).action(() => run(() => pick(context)));
    cli
      .command('list [provider]')
      .description(text.model.list)
      .option('-a, --all', text.model.all)
      .action((provider: string | undefined, { all = false }: { all?: boolean }) =>
        run(() => (provider ? listOne(provider, context) : listAll(all, context))),
      );
    cli
      .command('test [provider/model]')
      .description(text.model.test)
      .action((ref: string | undefined) => run(() => test(ref, context)));
    cli
      .command('use <provider/model>')
      .description(text.model.use)
      .action((ref: string) => run(() => use(ref, context)));
  },
});

async function listAll(all: boolean, context: CliContext): Promise<number> {
  const { text, stdout } = context;
  const host = await context.host();
  const views = await viewProviders(host.loaded, context.signal);
  const ready = views.filter((view) => isReady(view));
  stdout.write(`${text.model.current((await host.answering()) ?? text.model.operator)}\n\n`);
  const shown = all ? views : ready;
  if (!shown.length) stdout.write(`${text.model.none}\n`);
  else stdout.write(`${table([headings(text), ...shown.map((view) => row(view, text))])}\n`);
  return EXIT.ok;
}

const isReady = ({ ready }: ProviderView): boolean => ready === 'key set' || ready === 'answers';

const headings = ({ model }: CliContext['text']) => Object.values(model.columns).map((name) => pc.dim(name));

function row(view: ProviderView, { model }: CliContext['text']): string[] {
  const state = model.states[view.ready];
  const served = view.models
    ?.map(({ id }) => id)
    .slice(0, 3)
    .join(', ');
  return [
    view.id,
    isReady(view) ? pc.green(state) : pc.dim(state),
    served ?? view.defaultModel ?? '',
    pc.dim(view.keyNames.join(' | ')),
  ];
}

async function listOne(provider: string, context: CliContext): Promise<number> {
  const { text, stdout, stderr } = context;
  const { loaded } = await context.host();
  const models = await listProviderModels(provider, loaded, context.signal);
  if (!models) {
    stderr.write(`${text.model.noList(provider)}\n`);
    return EXIT.failed;
  }
  const head = [text.model.columns.model, text.model.window, text.model.price].map((name) => pc.dim(name));
  stdout.write(
    `${table([head, ...models.map((info) => [info.model, inThousands(info.contextWindow), priceOf(info)])])}\n`,
  );
  return EXIT.ok;
}

const inThousands = (tokens: number): string => `${Math.round(tokens / 1000)}K`;
const priceOf = ({ price }: ModelInfo): string => (price ? `${price.input} · ${price.output}` : '');

async function test(ref: string | undefined, context: CliContext): Promise<number> {
  const { text, stdout } = context;
  const host = await context.host();
  const started = performance.now();
  const seconds = () => `${((performance.now() - started) / 1000).toFixed(2)} s`;
  const events = await host.probe('Reply with the single word: ready', {
    model: ref,
    signal: context.signal,
  });
  let firstText: string | undefined;
  for await (const event of events) if (event.type === 'text.delta') firstText ??= seconds();
  const outcome = await events.result();
  if (outcome.status === 'failed') {
    showError(outcome.error, context);
    return exitCodeOf(outcome.error.code);
  }
  if (outcome.status === 'aborted') return EXIT.aborted;
  const { usage, message, cost } = outcome;
  const { provider, model, protocol } = message.origin;
  stdout.write(`${pc.green('✓')} ${text.model.testOk(`${provider}/${model}`)} (${protocol})\n`);
  const rows = [
    [text.model.firstText, firstText ?? '–'],
    [text.model.total, seconds()],
    [text.model.tokens, `${usage.input + usage.cacheRead + usage.cacheWrite} → ${usage.output}`],
    ...(cost === undefined ? [] : [[text.model.cost, `$${cost.toFixed(6)}`]]),
  ];
  stdout.write(`${table(rows.map(([name, value]) => ['', pc.dim(name ?? ''), value ?? '']))}\n`);
  return EXIT.ok;
}

async function use(ref: string, context: CliContext): Promise<number> {
  const { provider, model } = parseRef(ref);
  const host = await context.host();
  // Fails here, before anything is written, when the provider is unknown or cannot be called.
  const { info } = await (await host.models(ref)).open({ provider, model });
  await choose(context, provider, model ?? (info.provider === provider ? info.model : undefined));
  return EXIT.ok;
}

async function choose(context: CliContext, provider: string, model: string | undefined): Promise<void> {
  const { env, text, stdout } = context;
  const home = resolveHome(context);
  const options = { env, secretName: await secretNamer() };
  const before = (await context.host()).loaded.config.llm.provider;
  const left =
    before !== provider ? ['llm.base_url', 'llm.api_mode', 'llm.api_key', 'llm.context_window'] : [];
  for (const key of left) await unsetConfigValue(home, key, { env });
  const { file } = await setConfigValue(home, 'llm.provider', provider, options);
  if (model) await setConfigValue(home, 'llm.model', model, options);
  else await unsetConfigValue(home, 'llm.model', { env });
  stdout.write(`${text.model.using([provider, model].filter(Boolean).join('/'), file)}\n`);
}

/** Walks through provider, key and model. Without a terminal it lists instead. */
async function pick(context: CliContext): Promise<number> {
  const { text, stdin, stdout } = context;
  if (!stdin.isTTY || !stdout.isTTY) return listAll(false, context);
  const host = await context.host();
  const views = (await viewProviders(host.loaded, context.signal)).toSorted(
    (a, b) => Number(isReady(b)) - Number(isReady(a)),
  );
  const provider = await clack.select({
    message: text.model.pick,
    maxItems: 12,
    options: views.map((view) => ({
      value: view.id,
      label: view.label,
      hint: text.model.states[view.ready],
    })),
  });
  if (clack.isCancel(provider)) return cancelled(context);
  const view = views.find(({ id }) => id === provider);
  const needsKey = view?.ready === 'no key';
  if (needsKey) {
    const key = await clack.password({ message: text.model.enterKey(view.keyNames[0] ?? 'API_KEY') });
    if (clack.isCancel(key) || !key) return cancelled(context);
    await choose(context, provider, undefined);
    await setConfigValue(resolveHome(context), 'llm.api_key', key, {
      env: context.env,
      secretName: await secretNamer(),
    });
  }
  const model = await pickModel(provider, host, context);
  if (model === undefined && !needsKey) return cancelled(context);
  await choose(context, provider, model);
  return EXIT.ok;
}

async function pickModel(
  provider: string,
  host: Pick<Host, 'loaded'>,
  context: CliContext,
): Promise<string | undefined> {
  const { text } = context;
  const listed = await listProviderModels(provider, host.loaded, context.signal);
  if (!listed?.length) {
    const typed = await clack.text({ message: text.model.pickModel });
    return clack.isCancel(typed) ? undefined : typed || undefined;
  }
  const chosen = await clack.autocomplete({
    message: text.model.pickModel,
    maxItems: 12,
    options: listed.map((info) => ({
      value: info.model,
      label: info.model,
      hint: inThousands(info.contextWindow),
    })),
  });
  return clack.isCancel(chosen) ? undefined : chosen;
}

function cancelled({ text, stderr }: CliContext): number {
  stderr.write(`${text.model.cancelled}\n`);
  return EXIT.aborted;
}
