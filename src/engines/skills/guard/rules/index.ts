import type { LineRule } from '../rule.ts';
import { AGENT } from './agent.ts';
import { DESTRUCTION } from './destruction.ts';
import { EXFILTRATION } from './exfiltration.ts';
import { NETWORK } from './network.ts';
import { OBFUSCATION } from './obfuscation.ts';
import { PERSISTENCE } from './persistence.ts';
import { INSTALLS, PRIVILEGE } from './privilege.ts';

export const LINE_RULES: readonly LineRule[] = [
  ...EXFILTRATION,
  ...PERSISTENCE,
  ...DESTRUCTION,
  ...OBFUSCATION,
  ...NETWORK,
  ...PRIVILEGE,
  ...INSTALLS,
  ...AGENT,
];
