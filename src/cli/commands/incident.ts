import { resolve } from 'node:path';
import pc from 'picocolors';
import { exportIncident, importIncidents } from '#host/incidents/transfer-incidents';
import type { Host } from '#host';
import { incidentDigestText, weighWords } from '#app/incidents';
import { localAudience } from '#app/terminal';
import { replayBundle } from '#host/incidents/replay-bundle';
import { fail } from '#kit/app-error';
import { LANGUAGES } from '#kit/language';
import { sleep } from '#kit/sleep';
import { type Incident, INCIDENT_STATES, OPEN_STATES, SEVERITIES, type Severity } from '#spec/data';
import { type CliContext, defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { type MoveOptions, regroupCommands, type ReplayOptions } from '../incident/regroup-commands.ts';
import { incidentLines, stateColour } from '../incident/show-incident.ts';
import { table } from '../table.ts';
import { wholeNumber } from '../whole-number.ts';
import { withHost } from '../with-host.ts';

type Needs = Pick<Host, 'incidents'>;

const MOST_LISTED = 100;
const MOST_FACTS = 2_000;
const MOST_DAYS = 90;
const MOST_MINUTES = 1_440;
/** How long `create` stays to show what was found; the incident goes on without it. */
const STAY_MS = 120_000;
const LOOK_MS = 250;
const LOOKING: readonly Incident['state'][] = ['investigating', 'executing', 'verifying'];

export const command = defineCommand({
  summary: {
    en: 'incidents: open, list, show, approve, replay, export',
    zh: '事故:创建、查看、审批、回放、导出',
  },
  build: (cli, run, context) => {
    const { incident: text } = context.text;
    const act = withHost(run, context);
    cli.helpCommand(false);
    cli
      .command('list', { isDefault: true })
      .description(text.list)
      .option('-a, --all', text.all)
      .option('--state <state>', text.state)
      .option('--service <service>', text.service)
      .option('--json', text.json)
      .action((options: ListOptions) => act((host) => list(host, options, context)));
    cli
      .command('show <id>')
      .description(text.show)
      .option('-t, --timeline', text.timeline)
      .option('--json', text.json)
      .action((id: string, options: ShowOptions) => act((host) => show(host, id, options, context)));
    cli
      .command('create <title>')
      .description(text.create)
      .option('-s, --service <service>', text.service)
      .option('--severity <severity>', text.severity, 'P3')
      .option('--metric <metric>', text.metric)
      .option('--starts-at <instant>', text.startsAt)
      .option('-l, --label <key=value...>', text.label)
      .action((title: string, options: CreateOptions) =>
        act((host) => create(host, title, options, context)),
      );
    for (const verb of ['approve', 'reject'] as const)
      cli
        .command(`${verb} <id>`)
        .description(text[verb])
        .option('--confirm <word>', text.confirm)
        .action((id: string, { confirm }: { confirm?: string }) =>
          act((host) => decide(host, id, verb === 'approve', confirm, context)),
        );
    cli
      .command('close <id>')
      .description(text.close)
      .requiredOption('--why <why>', text.why)
      .action((id: string, { why }: { why: string }) =>
        act(async (host) => {
          const { closeBy } = await host.incidents();
          await closeBy((await find(host, id)).id, localAudience().user, why);
          return say(context, text.closed(id));
        }),
      );
    const regroup = regroupCommands(find, context);
    cli
      .command('merge <id> <into>')
      .description(text.merge)
      .option('--once', text.once)
      .action((id: string, into: string, { once }: { once?: boolean }) =>
        act((host) => regroup.merge(host, id, into, once)),
      );
    cli
      .command('split <id>')
      .description(text.split)
      .option('-s, --service <service>', text.movedService)
      .option('--alert <name>', text.movedAlert)
      .option('--once', text.once)
      .action((id: string, options: MoveOptions) =>
        act((host) => regroup.move(host, id, undefined, options)),
      );
    cli
      .command('move <id> <into>')
      .description(text.move)
      .option('-s, --service <service>', text.movedService)
      .option('--alert <name>', text.movedAlert)
      .option('--once', text.once)
      .action((id: string, into: string, options: MoveOptions) =>
        act((host) => regroup.move(host, id, into, options)),
      );
    cli
      .command('grouping')
      .description(text.grouping)
      .option('--remove <id>', text.groupingRemove)
      .action(({ remove }: { remove?: string }) => act((host) => regroup.rules(host, remove)));
    cli
      .command('replay-grouping')
      .description(text.replayGrouping)
      .option('--together <pair...>', text.together)
      .option('--apart <pair...>', text.apart)
      .option('--without <id...>', text.without)
      .option(
        '--minutes <number>',
        text.groupMinutes,
        wholeNumber('--minutes', context, { most: MOST_MINUTES }),
      )
      .option('--calls <pair...>', text.calls)
      .option('--without-calls <pair...>', text.withoutCalls)
      .option('--days <number>', text.days, wholeNumber('--days', context, { most: MOST_DAYS }), 7)
      .option('--json', text.json)
      .action((options: ReplayOptions) => act((host) => regroup.replay(host, options)));
    cli
      .command('look <id>')
      .description(text.look)
      .action((id: string) =>
        act(async (host) => {
          await (await host.incidents()).look((await find(host, id)).id);
          return say(context, text.lookingAgain(id));
        }),
      );
    cli
      .command('weigh <id> <cause...>')
      .description(text.weigh)
      .action((id: string, cause: string[]) =>
        act(async (host) => {
          const said = weighWords(await find(host, id), cause.join(' '));
          return say(context, said.map((line) => line[context.language]).join('\n'));
        }),
      );
    cli
      .command('replay <bundle>')
      .description(text.replay)
      .option('-o, --out <folder>', text.out)
      .option('--json', text.json)
      .action((bundle: string, options: { out?: string; json?: boolean }) =>
        run(() => replay(bundle, options, context)),
      );
    cli
      .command('export <id>')
      .description(text.export)
      .option('-o, --out <folder>', text.out)
      .action((id: string, { out }: { out?: string }) =>
        act(async (host) => {
          const found = await find(host, id);
          const folder = await exportIncident(host, found.id, resolve(out ?? found.id), context.language);
          return say(context, text.written(folder));
        }),
      );
    cli
      .command('digest')
      .description(text.digest)
      .option('--days <number>', text.days, wholeNumber('--days', context, { most: MOST_DAYS }), 7)
      .option('--language <language>', text.language)
      .action((options: DigestOptions) => act((host) => digest(host, options, context)));
    cli
      .command('inbox')
      .description(text.inbox)
      .option('-a, --all', text.inboxAll)
      .option('--done <id>', text.inboxDone)
      .option('--json', text.json)
      .action((options: InboxOptions) => act((host) => showInbox(host, options, context)));
    cli
      .command('import <folder>')
      .description(text.import)
      .action((folder: string) =>
        act(async (host) => say(context, text.imported(await importIncidents(host, resolve(folder))))),
      );
  },
});

interface DigestOptions {
  readonly days: number;
  readonly language?: string;
}
interface InboxOptions {
  readonly all?: boolean;
  readonly done?: string;
  readonly json?: boolean;
}
interface ListOptions {
  readonly all?: boolean;
  readonly state?: string;
  readonly service?: string;
  readonly json?: boolean;
}
interface ShowOptions {
  readonly timeline?: boolean;
  readonly json?: boolean;
}
interface CreateOptions {
  readonly service?: string;
  readonly severity: string;
  readonly metric?: string;
  readonly startsAt?: string;
  readonly label?: readonly string[];
}

function say({ stdout }: CliContext, line: string): number {
  stdout.write(`${line}\n`);
  return EXIT.ok;
}

/** A whole id, or the end of one. */
async function find(host: Needs, id: string): Promise<Incident> {
  const { store } = await host.incidents();
  const exact = await store.get(id);
  if (exact) return exact;
  const found = (await store.list({ text: id, parts: true, limit: 3 })).filter((one) => one.id.endsWith(id));
  const [only] = found;
  if (only && found.length === 1) return only;
  throw fail('input.not_found', `There is no incident '${id}'.`, 'hermes incident list --all');
}

async function list(host: Needs, options: ListOptions, context: CliContext): Promise<number> {
  const { incident: text } = context.text;
  const { store } = await host.incidents();
  const chosen = options.state ? [stateNamed(options.state)] : options.all ? undefined : OPEN_STATES;
  const found = await store.list({
    ...(chosen ? { states: chosen } : {}),
    ...(options.service ? { service: options.service } : {}),
    limit: MOST_LISTED,
  });
  if (options.json) return say(context, JSON.stringify(found, undefined, 2));
  if (!found.length) return say(context, text.none);
  const rows = found.map(({ id, severity, state, service, title, createdAt, rca }) => [
    pc.bold(id),
    severity,
    stateColour(state)(text.states[state]),
    service ?? '',
    new Date(createdAt).toISOString().slice(0, 16).replace('T', ' '),
    title,
    rca?.hypotheses[0] && rca.status === 'concluded'
      ? pc.dim(text.categories[rca.hypotheses[0].category])
      : '',
  ]);
  return say(context, table(rows));
}

/** Messages of channels, newest first. */
async function showInbox(host: Needs, options: InboxOptions, context: CliContext): Promise<number> {
  const { incident: text } = context.text;
  const { inbox } = await host.incidents();
  if (options.done !== undefined && !(await inbox.answered(options.done)))
    throw fail('input.not_found', text.inboxUnknown(options.done), 'hermes incident inbox --all');
  const found = await inbox.list({
    limit: MOST_LISTED,
    ...(options.all ? {} : { state: 'waiting' as const }),
  });
  if (options.json) return say(context, JSON.stringify(found, undefined, 2));
  if (!found.length) return say(context, text.inboxNone);
  const rows = found.map(({ id, source, user, at, incident, text: said }) => [
    pc.bold(id),
    `${source}:${user}`,
    new Date(at).toISOString().slice(0, 16).replace('T', ' '),
    incident ?? '',
    said.replace(/\s+/g, ' ').slice(0, 120),
  ]);
  return say(context, table(rows));
}

/** The last days, today included, as Markdown. Days are those of this machine. */
async function digest(
  host: Pick<Host, 'incidents' | 'redactor' | 'skills'>,
  options: DigestOptions,
  context: CliContext,
): Promise<number> {
  const { language = context.language, days } = options;
  const spoken = LANGUAGES.find((each) => each === language);
  if (!spoken)
    throw fail('input.invalid', `'${language}' is no language.`, `It is one of ${LANGUAGES.join(', ')}.`);
  const today = new Date();
  const from = new Date(today.getFullYear(), today.getMonth(), today.getDate() - days + 1).getTime();
  const to = new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1).getTime();
  context.stdout.write(await incidentDigestText(host, { from, to }, spoken));
  return EXIT.ok;
}

function stateNamed(state: string): Incident['state'] {
  const known = INCIDENT_STATES.find((each) => each === state);
  if (!known)
    throw fail('input.invalid', `'${state}' is no state.`, `It is one of ${INCIDENT_STATES.join(', ')}.`);
  return known;
}

async function show(host: Needs, id: string, options: ShowOptions, context: CliContext): Promise<number> {
  const found = await find(host, id);
  const { store, confirmWord } = await host.incidents();
  const facts = await store.facts(found.id, 0, MOST_FACTS);
  const members = await store.members(found.id);
  if (options.json)
    return say(
      context,
      JSON.stringify({ incident: found, alerts: await store.alerts(found.id), members, facts }, undefined, 2),
    );
  const lines = incidentLines(found, context, {
    confirm: await confirmWord(found),
    members,
    ...(options.timeline ? { facts } : {}),
  });
  return say(context, lines.join('\n'));
}

async function create(
  host: Needs,
  title: string,
  options: CreateOptions,
  context: CliContext,
): Promise<number> {
  const { incident: text } = context.text;
  const { service, metric, startsAt } = options;
  if (!SEVERITIES.includes(options.severity as Severity))
    throw fail(
      'input.invalid',
      `'${options.severity}' is no severity.`,
      `It is one of ${SEVERITIES.join(', ')}.`,
    );
  const incidents = await host.incidents({ run: true });
  const made = await incidents.open({
    title,
    severity: options.severity as Severity,
    service,
    metric,
    startsAt,
    labels: labelsOf(options.label ?? []),
  });
  const id = made.incident ?? '';
  say(context, made.outcome === 'created' ? text.opened(id) : text.known(id));
  await settled(host, id, context);
  return show(host, id, {}, context);
}

function labelsOf(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((label) => {
      const at = label.indexOf('=');
      if (at < 1) throw fail('input.invalid', `'${label}' is no label: it is written key=value.`);
      return [label.slice(0, at), label.slice(at + 1)];
    }),
  );
}

/** Waits until there is something to show. */
async function settled(host: Needs, id: string, { signal, stderr, text }: CliContext): Promise<void> {
  const { store } = await host.incidents();
  const began = Date.now();
  while (Date.now() - began < STAY_MS && !signal.aborted) {
    const found = await store.get(id);
    if (!found || (found.rca && !LOOKING.includes(found.state))) break;
    if (stderr.isTTY) stderr.write(`\r${text.incident.waiting(Math.round((Date.now() - began) / 1_000))}`);
    await sleep(LOOK_MS, signal);
  }
  if (stderr.isTTY) stderr.write('\r\u001b[K');
}

async function decide(
  host: Needs,
  id: string,
  granted: boolean,
  confirmation: string | undefined,
  context: CliContext,
): Promise<number> {
  const { incident: text } = context.text;
  const incidents = await host.incidents();
  const approval = id.startsWith('apr_') ? id : (await find(host, id)).approval;
  if (!approval) throw fail('input.conflict', text.noRequest(id), 'hermes incident show <id>');
  const { user } = localAudience();
  await incidents.decide(approval, {
    granted,
    by: { channel: 'terminal', user },
    ...(confirmation === undefined ? {} : { confirmation }),
  });
  return say(context, text.decided(approval, granted));
}

async function replay(
  bundle: string,
  { out, json }: { readonly out?: string; readonly json?: boolean },
  context: CliContext,
): Promise<number> {
  const { incident: text } = context.text;
  const { incident, written } = await replayBundle(resolve(bundle), {
    out: resolve(out ?? '.'),
    language: context.language,
    signal: context.signal,
  });
  if (json) return say(context, JSON.stringify(incident, undefined, 2));
  say(context, incidentLines(incident, context).join('\n'));
  for (const path of written) context.stderr.write(`${text.written(path)}\n`);
  return EXIT.ok;
}
