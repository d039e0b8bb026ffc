import { comesFromCommand, hasTerminal } from '#adapters/processes';
import type { PersonProof } from '#app/approvals';

/** Channels that are nothing but a process of this machine, which a terminal has to stand behind. */
const BY_PROCESS: ReadonlySet<string> = new Set(['terminal', 'mcp']);

/**
 * What an agreement has to show on any channel: it is not given by a process that comes from a command of Hermes. On a
 * channel that is a process itself, there is a terminal that a person can sit at; on all others somebody has signed in.
 */
export const personProof: PersonProof = ({ channel }) => {
  if (comesFromCommand(process.pid)) return FROM_COMMAND;
  if (BY_PROCESS.has(channel) && !hasTerminal(process.pid)) return NO_TERMINAL;
  return undefined;
};

const FROM_COMMAND =
  'Only a person can agree to this, and this process was started by a command that Hermes ran.';
const NO_TERMINAL =
  'Only a person can agree to this, and this process has no terminal: it is a job, a service, or has left its session.';
