import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Demo, type Fault, FAULTS, startDemo } from '#demo';
import { openHost } from '#host';
import { spoken } from '#kit/text';
import { fail } from '#kit/app-error';
import { freePort } from '#kit/free-port';
import { sleep } from '#kit/sleep';
import { ENDED_STATES, type Incident } from '#spec/data';
import { type ServedHome, serveHome } from '#server';
import type { CliContext } from '../command.ts';
import { signInAddress } from '../serve/console-address.ts';
import { writeDemoHome } from './demo-home.ts';
import { type LiveView, liveView } from './live-view.ts';
import { tellEvent, tellFact } from './tell-fact.ts';

/** How long the system runs as usual before something happens to it. */
const BASELINE_MS = 26_000;
/** How long nothing may come of a fault that nobody is to blame for. */
const QUIET_MS = 25_000;
const MOST_MS = 150_000;
const TICK_MS = 300;

export interface DemoRun {
  readonly demo: Demo;
  readonly served: ServedHome;
  readonly view: LiveView;
  /** Where a browser sees it, already logged in. */
  readonly address: string;
  /** Shows what happens, until somebody stops it. */
  watch(): Promise<void>;
  /** Waits until the system has run as usual for long enough. */
  warmUp(): Promise<void>;
  /** Injects a fault and follows what comes of it to the end. */
  play(fault: Fault, answer: Answer): Promise<DemoOutcome>;
  close(): Promise<void>;
}

/** Asked when an incident waits for agreement. Undefined leaves it waiting. */
type Answer = (incident: Incident) => Promise<boolean | undefined>;

export interface DemoOutcome {
  readonly incident: Incident | undefined;
  readonly seconds: number;
  /** What did not come out as it should. */
  readonly wrong: readonly string[];
}

/** The payment system, observed, with a home of its own that serves it. */
export async function openDemo(
  context: CliContext,
  options: { readonly real: boolean; readonly keep: boolean },
): Promise<DemoRun> {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-demo-'));
  const view = liveView(context.stdout);
  const { demo: text } = context.text.incident;
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    view.close();
    for (const end of closers.splice(0).toReversed()) await end();
    if (!options.keep) await rm(folder, { recursive: true, force: true });
  };
  try {
    view.wait(text.starting);
    const home = join(folder, 'home');
    const token = randomBytes(24).toString('hex');
    // Whoever watches has a token of their own, which the home does not hold: they may agree.
    const own = randomBytes(24).toString('hex');
    // The system has to know where its alerts go before anybody listens there.
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const demo = await startDemo({
      dataDir: join(folder, 'system'),
      otlp: { url, token },
      alerts: { url: `${url}/gateway/alertmanager`, token },
      spawn: spawnService,
      real: options.real,
      signal: context.signal,
    });
    closers.push(() => demo.close());
    await writeDemoHome(home, own, demo.registryFile, demo.prometheus?.prometheus);
    const host = await openHost({
      env: { ...context.env, HERMES_HOME: home, HERMES_PROFILE: '', RUNBOOK_API_TOKEN: token },
      version: context.version,
      // `--auto` agrees in a person's place, to what happens to a system that is thrown away.
      proof: () => undefined,
    });
    closers.push(() => host.close());
    let active: string | undefined;
    demo.onEvent((event) => {
      if (event.type === 'fault.injected') active = event.fault;
      if (event.type === 'fault.cleared') active = undefined;
    });
    const served = await serveHome(host, {
      port,
      demo: {
        faults: FAULTS,
        inject: async (fault) => demo.inject(faultNamed(fault)?.id ?? noFault(fault)),
        clear: async () => demo.clear(),
        active: () => active,
      },
    });
    closers.push(() => served.close());
    demo.onEvent((event) => {
      const line = tellEvent(event);
      if (line) view.say(line);
    });
    const address = signInAddress(served.url, own);
    return { demo, served, view, close, address, ...player({ demo, served, view, context }) };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

/** A service is this same program, told to be it. */
const spawnService = (args: string[], env: Readonly<Record<string, string>>) =>
  spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', 'demo', 'service', ...args], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });

interface Parts {
  readonly demo: Demo;
  readonly served: ServedHome;
  readonly view: LiveView;
  readonly context: CliContext;
}

function player({ demo, served, view, context }: Parts): Pick<DemoRun, 'warmUp' | 'play' | 'watch'> {
  const { signal, language } = context;
  const { incident: text } = context.text;
  const { store } = served.incidents;
  let usualSince = Date.now();
  let told = 0;
  const tick = async () => {
    view.show(demo.stats(), Object.fromEntries(demo.services.map(({ name, version }) => [name, version])));
    const news = await store.news(told, 500);
    for (const { n, fact } of news) {
      told = n;
      const line = tellFact(spoken(fact, language), text);
      if (line) view.say(line);
    }
    await sleep(TICK_MS, signal);
    signal.throwIfAborted();
  };
  return {
    watch: async () => {
      while (!signal.aborted) await tick();
    },
    warmUp: async () => {
      view.wait(text.demo.baseline(BASELINE_MS / 1_000));
      while (Date.now() - usualSince < BASELINE_MS) await tick();
      view.wait(undefined);
    },
    play: async (fault, answer) => {
      const started = Date.now();
      const before = new Set((await store.list({ limit: 100 })).map(({ id }) => id));
      view.say(text.demo.injected(fault.title[language]));
      view.wait(text.demo.waiting);
      await demo.inject(fault.id);
      const asked = new Set<string>();
      for (;;) {
        await tick();
        const found = (await store.list({ limit: 20 })).filter(({ id }) => !before.has(id));
        const incident = found.at(-1);
        view.wait(incident ? text.states[incident.state] : text.demo.waiting);
        const waited = Date.now() - started;
        const { approval } = incident ?? {};
        if (incident?.state === 'awaiting_approval' && approval && !asked.has(approval)) {
          asked.add(approval);
          view.wait(undefined);
          const granted = await answer(incident);
          const confirmation = await served.incidents.confirmWord(incident);
          if (granted !== undefined)
            await served.incidents.decide(approval, {
              granted,
              by: { channel: 'terminal', user: context.env['USER'] || 'operator' },
              ...(confirmation === undefined ? {} : { confirmation }),
            });
        }
        const over =
          incident !== undefined && ENDED_STATES.includes(incident.state) && incident.lesson !== undefined;
        const quiet = fault.operation === 'observe' && waited > QUIET_MS && (!incident || incident.round > 0);
        if (!over && !quiet && waited < MOST_MS) continue;
        await demo.clear();
        usualSince = Date.now();
        view.wait(undefined);
        return {
          incident,
          seconds: Math.round(waited / 1_000),
          wrong: problems(fault, incident, found.length),
        };
      }
    },
  };
}

/** What an incident should have come to, and did not. */
function problems(fault: Fault, incident: Incident | undefined, count: number): string[] {
  const first = incident?.rca?.hypotheses[0];
  const carriedOut = incident?.execution ? [`${incident.action?.operation} was carried out`] : [];
  if (!fault.culprit) {
    const blamed =
      incident?.rca?.status === 'concluded' && first?.service && first.category !== fault.category;
    return [...(blamed ? [`${first.service} was blamed for ${first.category}`] : []), ...carriedOut];
  }
  if (!incident) return ['no alert came'];
  const ended = incident.state === 'recovered' ? [] : [`it ended as ${incident.state}`];
  return [
    ...(count > 1 ? [`${count} incidents were opened`] : []),
    ...(first?.service === fault.culprit
      ? []
      : [`${first?.service ?? 'nobody'} was blamed, not ${fault.culprit}`]),
    ...(first?.category === fault.category ? [] : [`category ${first?.category}, not ${fault.category}`]),
    ...(incident.action?.operation === fault.operation
      ? []
      : [`${incident.action?.operation ?? 'nothing'} was proposed, not ${fault.operation}`]),
    ...(fault.operation === 'observe' ? carriedOut : ended),
  ];
}

export const faultNamed = (name: string): (typeof FAULTS)[number] | undefined =>
  FAULTS.find(({ id }) => id.toLowerCase() === name.toLowerCase());

function noFault(name: string): never {
  throw fail('input.invalid', `There is no fault '${name}'.`);
}
