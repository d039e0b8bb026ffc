import { parseRule, readRules } from '#engines/aiops';
import { readText } from '#adapters/store';
import { fail } from '#kit/app-error';
import type { GovernanceRule } from '#spec/data';
import type { Host } from '../open-host.ts';
import type { IncidentFile } from './incident-file.ts';

const MOST_TOLD = 200;

/**
 * Rules of the house: those of `incidents.yaml`, and those that somebody had remembered. One in the file that is not
 * understood is a mistake: whoever wrote it believes that it holds.
 */
export async function houseRules(
  host: Host,
  { services }: IncidentFile,
): Promise<() => Promise<readonly GovernanceRule[]>> {
  const { peak_hours, change_window, zone } = host.loaded.config.incidents;
  const settings = {
    ...(peak_hours ? { peak: hoursOf(peak_hours, zone) } : {}),
    ...(change_window ? { changeWindow: hoursOf(change_window, zone) } : {}),
    services: services.map(({ service }) => service),
  };
  const path = host.home.file('incidents.yaml');
  const { rules, problems } = readRules((await readText(path)) ?? '', 'incidents.yaml', settings);
  if (problems.length > 0) throw fail('config.invalid', problems.join('\n'));
  return async () => {
    const { memory } = await host.memory();
    const told = await memory.list(undefined, {
      kinds: ['governance_rule'],
      states: ['active'],
      limit: MOST_TOLD,
    });
    const ofTeam = told.filter(({ scope }) => scope === 'team');
    return [...rules, ...ofTeam.flatMap(({ id, text }) => parseRule(text, id, settings) ?? [])];
  };
}

/** `19:00-23:00`, as the configuration has checked it. */
function hoursOf(text: string, zone: string): { start: string; end: string; zone: string } {
  const [start = '', end = ''] = text.split('-').map((part) => part.trim());
  return { start, end, zone };
}
