import { type Operation, type Risk, RISKS } from '#spec/data';

/** What can go wrong by doing it. What is taken back as easily as it was done, and only widens or sheds load, is safe. */
const RISK_OF: Readonly<Record<Operation, Risk>> = {
  observe: 'read_only',
  scale_deployment: 'safe_write',
  degrade_dependency: 'safe_write',
  change_rate_limit: 'safe_write',
  rollback_canary: 'destructive',
  restart_deployment: 'destructive',
  switch_traffic: 'destructive',
  change_config: 'destructive',
  flush_cache: 'destructive',
  failover_dependency: 'destructive',
};

export const riskOf = (operation: Operation): Risk => RISK_OF[operation];

/** Grows with the risk. */
export const riskRank = (risk: Risk): number => RISKS.indexOf(risk);
