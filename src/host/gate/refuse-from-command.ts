import { comesFromCommand } from '#adapters/processes';
import { fail } from '#kit/app-error';
import { localAudience } from '#app/terminal';
import type { Host } from '../open-host.ts';
import { requesterOf } from '#app/approvals';

type Needs = Pick<Host, 'gate' | 'home'>;

/**
 * What Hermes runs may not change Hermes: its configuration, its plugins, its grants, another conversation. Refuses, and
 * writes down that it was tried, where this process comes from a command.
 */
export async function refuseFromCommand(
  host: () => Promise<Needs & Pick<Host, 'close'>>,
  words: readonly string[],
): Promise<void> {
  if (!comesFromCommand(process.pid)) return;
  const opened = await host();
  const reason = 'A command that Hermes runs may not change Hermes itself.';
  await writeDown(opened, words, reason);
  await opened.close();
  throw fail('tool.refused', reason, 'A person can do this at a terminal.');
}

/** For what only a person may do: refuses, and writes it down, where whoever is at this terminal cannot be one. */
export async function refuseUnproven(host: Needs, words: readonly string[]): Promise<void> {
  const reason = (await host.gate()).unproven({ channel: 'terminal', user: localAudience().user });
  if (reason === undefined) return;
  await writeDown(host, words, reason);
  throw fail('tool.refused', reason, 'A person can do this at a terminal.');
}

async function writeDown(host: Needs, words: readonly string[], reason: string): Promise<void> {
  const { audit } = await host.gate();
  const who = { caller: 'chat' as const, audience: localAudience(), profile: host.home.profile };
  await audit.refused(requesterOf(who, 'command'), { shown: shownOf(words), reason });
}

/** The words that name the command; what is given to it may be a secret. */
const shownOf = (words: readonly string[]): string =>
  ['hermes', ...words.filter((word) => /^[\w.-]{1,40}$/.test(word)).slice(0, 4)].join(' ');
