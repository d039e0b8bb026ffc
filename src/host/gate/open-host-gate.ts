import { readdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { loadCommandLister } from '#adapters/shell-parser';
import { openLedger } from '#adapters/store';
import type { HomeGate, PersonProof } from '#app/approvals';
import type { Redactor } from '#app';
import { judgeCommand, openGate } from '#engines/gate';
import type { AskModel, Logger } from '#spec/ports';
import type { LoadedConfig } from '../config/load-config.ts';
import type { Home } from '../home.ts';
import { auditAnchor, configuredAnchor } from './audit-anchor.ts';
import { gatePolicy } from './gate-policy.ts';
import { personProof } from './person-proof.ts';

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
