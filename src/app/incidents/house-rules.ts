import { type HouseRule, parseRule, readRules, type RuleBook } from '#engines/aiops';
import { type MemoryView, memoryWriter } from '#engines/memory';
import { fail } from '#kit/app-error';
import { withoutFence } from '#kit/memory-fence';
import type { GovernanceRule, StagedWrite, UserPart } from '#spec/data';
import { localView } from '../terminal/find-session.ts';
import type { Dependencies } from '../dependencies.ts';
import type { IncidentFile } from './home-incidents.ts';

type Needs = Pick<Dependencies, 'database' | 'incidentFile' | 'memory' | 'settings'>;

const MOST_TOLD = 200;

/**
 * Rules of the house: those of `incidents.yaml`, and those that somebody had remembered. One in the file that is not
 * understood is a mistake: whoever wrote it believes that it holds.
 */
export async function houseRules(
  deps: Needs,
  file: IncidentFile,
): Promise<() => Promise<readonly GovernanceRule[]>> {
  const settings = settingsOf(deps, file);
  const rules = rulesOfFile(file, settings);
  return async () => {
    const told = await toldRules(deps);
    return [...rules, ...told.flatMap(({ id, text }) => parseRule(text, id, settings) ?? [])];
  };
}

/** The same rules for whoever tells, lists or takes them away. */
export function ruleBook(deps: Needs, view: MemoryView = localView()): RuleBook {
  const telling = (text: string, session: string) => ({
    kind: 'governance_rule' as const,
    text,
    at: Date.now(),
    provenance: { by: 'user' as const, session },
  });
  return {
    read: async (text) => parseRule(text, 'told', settingsOf(deps, await deps.incidentFile())),
    list: async () => {
      const file = await deps.incidentFile();
      const how = settingsOf(deps, file);
      const inFile = rulesOfFile(file, how).map(
        (rule): HouseRule => ({ id: rule.id, text: rule.text, rule, from: 'file' }),
      );
      const told = (await toldRules(deps)).map(({ id, text }): HouseRule => {
        const rule = parseRule(text, id, how);
        return { id, text, from: 'told', ...(rule ? { rule } : {}) };
      });
      return [...inFile, ...told];
    },
    keep: async (text, session) => {
      const { memory } = await deps.memory();
      const kept = await memory.remember(telling(text, session), view);
      if (kept.status === 'refused') throw fail('tool.refused', kept.why);
      return kept.entry.id;
    },
    isSaid: async (text, session) => {
      if (deps.settings.memory.write_approval) return false;
      const { transcript, sessions } = await deps.database();
      // Only whoever sits at this machine: elsewhere somebody who may approve has to agree.
      const found = await sessions.get(session);
      if (found?.session.source !== localView().audience.source) return false;
      const last = (await transcript.read(session)).findLast(({ message }) => message.role === 'user');
      const parts = last?.message.role === 'user' ? withoutFence<UserPart>(last.message.content) : [];
      return parts.some((part) => part.type === 'text' && part.text.includes(text));
    },
    stage: async (text, session) => {
      const { memory, notebooks, staged, secrets } = await deps.memory();
      const waiting = new Set((await staged.list(['team'])).map(({ id }) => id));
      const writer = memoryWriter({
        memory,
        notebooks,
        staged,
        secrets,
        view,
        session,
        now: Date.now,
        language: 'en',
        why: 'a rule that was told where nobody could be asked',
      });
      const written = await writer.entry(telling(text, session));
      if (!written.ok) throw fail('tool.refused', written.text);
      return (await staged.list(['team'])).find(({ id }) => !waiting.has(id))?.id ?? '';
    },
    remove: async (id) => {
      const told = await toldRules(deps);
      if (!told.some((entry) => entry.id === id)) return false;
      return (await (await deps.memory()).memory.forget([id], view)) > 0;
    },
  };
}

/** Whether a write that waits would be a rule of the house. */
export const isStagedRule = ({ target, input }: StagedWrite): boolean =>
  target === 'entry' && (input as { kind?: unknown }).kind === 'governance_rule';

async function toldRules(deps: Needs) {
  const { memory } = await deps.memory();
  const told = await memory.list(undefined, {
    kinds: ['governance_rule'],
    states: ['active'],
    limit: MOST_TOLD,
  });
  return told.filter(({ scope }) => scope === 'team');
}

function settingsOf(deps: Needs, { services }: IncidentFile) {
  const { peak_hours, change_window, zone } = deps.settings.incidents;
  return {
    ...(peak_hours ? { peak: hoursOf(peak_hours, zone) } : {}),
    ...(change_window ? { changeWindow: hoursOf(change_window, zone) } : {}),
    services: services.map(({ service }) => service),
  };
}

function rulesOfFile(
  { text }: IncidentFile,
  settings: ReturnType<typeof settingsOf>,
): readonly GovernanceRule[] {
  const { rules, problems } = readRules(text, 'incidents.yaml', settings);
  if (problems.length > 0) throw fail('config.invalid', problems.join('\n'));
  return rules;
}

/** `19:00-23:00`, as the configuration has checked it. */
function hoursOf(text: string, zone: string): { start: string; end: string; zone: string } {
  const [start = '', end = ''] = text.split('-').map((part) => part.trim());
  return { start, end, zone };
}
