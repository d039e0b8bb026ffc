import { DEFAULT_POLICY, type GatePolicy, type GateRule } from '#engines/gate';
import type { Config } from '../config/schema.ts';

type GateConfig = Config['gate'];
type RuleConfig = Pick<GateConfig, 'deny_from' | 'separate_approver' | 'smart'> & {
  readonly ask_from?: GateConfig['ask_from'] | undefined;
};

/** The rules of the configuration in the words of the gate. */
export function gatePolicy(gate: GateConfig): GatePolicy {
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
