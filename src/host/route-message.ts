import { decideWrites, routeMessage } from '#engines/memory';
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
  const { library, learning } = await host.skills();
  const fitting = await learning.offer(await library.match(said, { limit: 6 }), {
    text: said,
    prefer: 'workflow',
  });
  const workflow = fitting.find(({ skill }) => skill.form === 'workflow');
  return workflow && { name: 'skill_run', input: { name: workflow.skill.name } };
}

/** A rule about a service is of everybody who works with it. */
const isTeamRule = (said: string): boolean =>
  decideWrites({ session: '', turn: 0, said, answered: '', at: 0 }).some(
    (write) => write.to === 'entry' && write.telling.kind === 'governance_rule',
  );
