import type { RouteMessage } from '#adapters/models';
import { decideWrites, routeMessage } from '#engines/memory';
import { explainWorkflow, parseWorkflow, type Workflow } from '#engines/skills';
import type { Skill } from '#spec/data';
import { localView } from './find-session.ts';
import { toldIn } from './incidents/manual-alert.ts';
import type { Host } from './open-host.ts';
import { surroundingsOf } from './skills/surroundings.ts';
import { builtInTools, incidentToolsOf } from './tools/all-tools.ts';

/** What the built-in operator is to do with a message: remember, recall, or run the workflow that plainly fits. */
export async function routeByRules(host: Host, said: string): ReturnType<RouteMessage> {
  const { route, text } = routeMessage(said);
  if (route === 'remember' && text) {
    const target = isTeamRule(said) ? 'service' : 'memory';
    return { name: 'memory', input: { action: 'add', target, content: text } };
  }
  if (route === 'preference' && text)
    return { name: 'memory', input: { action: 'add', target: 'user', content: text } };
  const { service } = route === 'incident' ? toldIn(said) : {};
  if (service) return { name: 'tool_call', input: { name: 'incident_rca_guard', arguments: { service } } };
  if (route === 'recall' && text) return { name: 'memory_search', input: { query: text } };
  // Skills that cannot be opened are told of by the conversation itself.
  const shelf = await host.skills().catch(() => undefined);
  if (!shelf) return undefined;
  const { library, learning } = shelf;
  const around = await surroundingsOf(process.cwd(), said);
  const fitting = await learning.offer(await library.match(said, { limit: 6, ...around }), {
    text: said,
    prefer: 'workflow',
  });
  for (const { skill } of fitting) {
    const asked = howAskedFor(skill, said);
    if (skill.form !== 'workflow' || !asked) continue;
    const parsed = parseWorkflow(await library.source(skill), skill.path);
    // Without a model nobody could tell what to fill in, and what changes something has to be called by its name.
    if ('problems' in parsed || parsed.workflow.arguments.some(({ required }) => required)) continue;
    if (asked !== 'named' && !(await onlyReads(host, parsed.workflow))) continue;
    const call = { name: 'skill_run', input: { name: skill.name } };
    return asked === 'hinted' ? { ...call, guess: true } : call;
  }
  return undefined;
}

/**
 * How plainly a message asks for a workflow: by its name; by a phrase that it lists, or most of the words that a learned
 * one lists; or by one short word.
 */
function howAskedFor({ name, triggers }: Skill, said: string): 'named' | 'told' | 'hinted' | undefined {
  const text = said.toLowerCase();
  if (text.includes(name.toLowerCase())) return 'named';
  const hits = triggers.keywords.filter((keyword) => text.includes(keyword.toLowerCase()));
  const phrase = hits.some((hit) => /\S\s+\S/.test(hit) || /\p{Script=Han}{4}/u.test(hit));
  const most = hits.length >= 2 && hits.length * 3 >= triggers.keywords.length * 2;
  if (phrase || most) return 'told';
  return hits.some((hit) => /\p{Script=Han}{2}/u.test(hit)) ? 'hinted' : undefined;
}

async function onlyReads(host: Host, workflow: Workflow): Promise<boolean> {
  const tools = [
    ...(await builtInTools()),
    ...(await incidentToolsOf(host)),
    ...(await host.engineTools({ view: localView(), language: 'en', cwd: process.cwd() })),
  ];
  const known = new Map(tools.map((tool) => [tool.name, tool]));
  const { steps } = await explainWorkflow(
    workflow,
    {},
    { tools: { find: (name) => known.get(name), names: [...known.keys()] } },
  );
  return steps.every(({ level }) => level !== undefined && level <= 1);
}

/** A rule about a service is of everybody who works with it. */
const isTeamRule = (said: string): boolean =>
  decideWrites({ session: '', turn: 0, said, answered: '', at: 0 }).some(
    (write) => write.to === 'entry' && write.telling.kind === 'governance_rule',
  );
