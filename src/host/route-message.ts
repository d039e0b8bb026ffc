import { decideWrites, routeMessage } from '#engines/memory';
import { parseWorkflow } from '#engines/skills';
import type { Skill } from '#spec/data';
import type { Host } from './open-host.ts';

/** What the built-in operator is to do with a message: remember, recall, or run the workflow that plainly fits. */
export async function routeByRules(
  host: Host,
  said: string,
): Promise<{ readonly name: string; readonly input: object } | undefined> {
  const { route, text } = routeMessage(said);
  if (route === 'remember' && text) {
    const target = isTeamRule(said) ? 'service' : 'memory';
    return { name: 'memory', input: { action: 'add', target, content: text } };
  }
  if (route === 'preference' && text)
    return { name: 'memory', input: { action: 'add', target: 'user', content: text } };
  if (route === 'recall' && text) return { name: 'memory_search', input: { query: text } };
  // Skills that cannot be opened are told of by the conversation itself.
  const shelf = await host.skills().catch(() => undefined);
  if (!shelf) return undefined;
  const { library, learning } = shelf;
  const fitting = await learning.offer(await library.match(said, { limit: 6 }), {
    text: said,
    prefer: 'workflow',
  });
  for (const { skill } of fitting) {
    if (skill.form !== 'workflow' || !isAskedFor(skill, said)) continue;
    const parsed = parseWorkflow(await library.source(skill), skill.path);
    // Without a model nobody could tell what to fill in.
    const wanting = 'problems' in parsed || parsed.workflow.arguments.some(({ required }) => required);
    if (!wanting) return { name: 'skill_run', input: { name: skill.name } };
  }
  return fitting.length ? { name: 'skills_list', input: { query: said } } : undefined;
}

/**
 * Whether a message names a workflow plainly enough to run it unread: by its name, by a phrase that it lists, or by
 * most of the words that a learned one lists.
 */
function isAskedFor({ name, triggers }: Skill, said: string): boolean {
  const text = said.toLowerCase();
  const hits = triggers.keywords.filter((keyword) => text.includes(keyword.toLowerCase()));
  const phrase = hits.some((hit) => /\s/.test(hit.trim()) || /\p{Script=Han}{2}/u.test(hit));
  const most = hits.length >= 2 && hits.length * 3 >= triggers.keywords.length * 2;
  return phrase || most || text.includes(name.toLowerCase());
}

/** A rule about a service is of everybody who works with it. */
const isTeamRule = (said: string): boolean =>
  decideWrites({ session: '', turn: 0, said, answered: '', at: 0 }).some(
    (write) => write.to === 'entry' && write.telling.kind === 'governance_rule',
  );
