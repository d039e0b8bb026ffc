import { homedir } from 'node:os';
import { loadCommandLister } from '#adapters/shell-parser';
import { openLedger } from '#adapters/store';
import { type Gate, judgeCommand, openGate } from '#engines/gate';
import { redact } from '#kit/redact';
import type { ApprovalStore, AskModel, AuditLog } from '#spec/ports';
import type { LoadedConfig } from '../config/load-config.ts';
import type { Home } from '../home.ts';
import { secretValues } from '../secret-values.ts';
import { gatePolicy } from './gate-policy.ts';

/** The gate of one home with its records, shared by every conversation and every process that has the home open. */
export interface HostGate extends Gate {
  readonly approvals: ApprovalStore;
  readonly audit: AuditLog;
  close(): Promise<void>;
}

export async function openHostGate(home: Home, loaded: LoadedConfig, askModel: AskModel): Promise<HostGate> {
  const { approvals, audit, taints, close } = await openLedger(home.file('ledger.db'));
  const lister = await loadCommandLister();
  const secrets = secretValues(loaded.env);
  const gate = openGate({
    policy: gatePolicy(loaded.config.gate),
    approvals,
    audit,
    taints,
    judge: (text, place) => judgeCommand(text, { ...place, lister }),
    guarded: { paths: [home.base], userHome: loaded.env.HOME ?? homedir() },
    askModel,
    redact: (text) => redact(text, secrets),
  });
  return { ...gate, approvals, audit, close };
}
