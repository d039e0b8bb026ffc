import { readdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { loadCommandLister } from '#adapters/shell-parser';
import { openLedger } from '#adapters/store';
import type { HomeGate, PersonProof } from '#app/approvals';
import type { Redactor } from '#app';
import { judgeCommand, openGate, DEFAULT_POLICY, type GatePolicy, type GateRule } from '#engines/gate';
import type { AskModel, Logger } from '#spec/ports';
import type { LoadedConfig } from '../config/load-config.ts';
import type { Home } from '../home.ts';
import { auditAnchor, configuredAnchor } from './audit-anchor.ts';
import { comesFromCommand, hasTerminal } from '#adapters/processes';
import type { Config } from '#config';

export async function openHostGate(
  home: Home,
  loaded: LoadedConfig,
  redactor: Redactor,
  askModel: AskModel,
  log: Logger,
  proof: PersonProof = personProof,
): Promise<HomeGate> {
  const anchor = configuredAnchor(home, loaded);
  const { every, seconds } = loaded.config.audit;
  const anchored =
    anchor &&
    auditAnchor(anchor, home, {
      entries: every,
      ms: seconds * 1_000,
      now: Date.now,
      onTrouble: (message) => log.error('audit.failed', { error: message }),
    });
  const { approvals, audit, taints, close } = await openLedger(home.file('ledger.db'), {
    clean: redactor.text,
    onHead: anchored?.head,
  });
  const lister = await loadCommandLister();
  const gate = openGate({
    policy: gatePolicy(loaded.config.gate),
    approvals,
    audit,
    taints,
    judge: (text, place) => judgeCommand(text, { ...place, lister }),
    guarded: {
      paths: [...new Set([home.base, realPath(home.base)])],
      userHome: loaded.env.HOME ?? homedir(),
      real: realPath,
      links: linksIn,
    },
    askModel,
    unproven: proof,
    redact: redactor.text,
  });
  return {
    ...gate,
    approvals,
    audit,
    unproven: proof,
    close: async () => {
      await close();
      await anchored?.close();
    },
  };
}

/** The path with its links followed, as far as it exists. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Not there, or not to be looked at: the folder above it tells.
    const above = dirname(path);
    return above === path ? path : join(realPath(above), basename(path));
  }
}

/** The links in a folder, and where they lead. */
function linksIn(folder: string): { name: string; target: string }[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isSymbolicLink())
      .map(({ name }) => ({ name, target: realPath(join(folder, name)) }));
  } catch {
    // Not there, or not to be read: then a pattern finds nothing there either.
    return [];
  }
}

/** Channels that are nothing but a process of this machine, which a terminal has to stand behind. */
const BY_PROCESS: ReadonlySet<string> = new Set(['terminal', 'mcp']);

/**
 * What an agreement has to show on any channel: it is not given by a process that comes from a command of Hermes. On a
 * channel that is a process itself, there is a terminal that a person can sit at; on all others somebody has signed in.
 */
const personProof: PersonProof = ({ channel }) => {
  if (comesFromCommand(process.pid)) return FROM_COMMAND;
  if (BY_PROCESS.has(channel) && !hasTerminal(process.pid)) return NO_TERMINAL;
  return undefined;
};

const FROM_COMMAND =
  'Only a person can agree to this, and this process was started by a command that Hermes ran.';
const NO_TERMINAL =
  'Only a person can agree to this, and this process has no terminal: it is a job, a service, or has left its session.';

type GateConfig = Config['gate'];
type RuleConfig = Pick<GateConfig, 'deny_from' | 'separate_approver' | 'smart'> & {
  readonly ask_from?: GateConfig['ask_from'] | undefined;
};

/** The rules of the configuration in the words of the gate. */
function gatePolicy(gate: GateConfig): GatePolicy {
  return {
    ...DEFAULT_POLICY,
    ...ruleOf(gate),
    askFrom: gate.ask_from,
    callers: rulesOf(gate.callers),
    platforms: rulesOf(gate.platforms),
    backends: rulesOf(gate.backends),
    tools: gate.tools,
    allow: gate.allow,
    deny: gate.deny,
    approvers: gate.approvers,
    taint: gate.taint,
    waitMs: gate.wait_s * 1_000,
  };
}

const ruleOf = ({ ask_from, deny_from, separate_approver, smart }: RuleConfig): GateRule => ({
  askFrom: ask_from,
  denyFrom: deny_from,
  separateApprover: separate_approver,
  smart,
});

const rulesOf = (rules: Readonly<Partial<Record<string, RuleConfig>>>): Record<string, GateRule> =>
  Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, ruleOf(rule ?? {})]));
