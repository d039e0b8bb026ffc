import { comesFromCommand } from '#adapters/processes';
import { fail } from '#kit/app-error';
import { localAudience } from '../find-session.ts';
import type { Host } from '../open-host.ts';
import { requesterOf } from './conversation-permit.ts';

/**
 * What Hermes runs may not change Hermes: its configuration, its plugins, its grants, another conversation. Refuses, and
 * writes down that it was tried, where this process comes from a command.
 */
export async function refuseFromCommand(host: () => Promise<Host>, words: readonly string[]): Promise<void> {
  if (!comesFromCommand(process.pid)) return;
  const opened = await host();
  const { audit } = await opened.gate();
  const who = { caller: 'chat' as const, audience: localAudience(), profile: opened.home.profile };
  const reason = 'A command that Hermes runs may not change Hermes itself.';
  await audit.append('cli.refused', requesterOf(who, 'command'), { shown: shownOf(words), reason });
  await opened.close();
  throw fail('tool.refused', reason, 'A person can do this at a terminal.');
}

/** The words that name the command; what is given to it may be a secret. */
const shownOf = (words: readonly string[]): string =>
  ['hermes', ...words.filter((word) => /^[\w.-]{1,40}$/.test(word)).slice(0, 4)].join(' ');
