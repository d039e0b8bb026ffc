import type { Onlooker as SkillOnlooker, ServedSkills } from '#app/skills';
import { fail } from '#kit/app-error';
import { API } from '#spec/api';
import type { Principal, Route } from '#spec/ports';
import { implement } from '../implement.ts';

const { skillRuns: RUNS, skills: SKILLS } = API;
const DONE = { body: { done: true } };

/** The HTTP API of skills: the library, what was learned, drafts, and runs of workflows. */
export const skillRoutes = (skills: ServedSkills): Route[] => [
  ...libraryRoutes(skills),
  ...learningRoutes(skills),
  ...draftRoutes(skills),
  ...runRoutes(skills),
];

const libraryRoutes = (skills: ServedSkills): Route[] => [
  implement(SKILLS.list, async ({ query: { text = '' } }) => ({ body: await skills.list(text) })),
  implement(SKILLS.show, async ({ principal, params, query: { language } }) => ({
    body: await skills.show(onlooker(principal), params.name, language),
  })),
  implement(SKILLS.file, async ({ params, query: { path } }) => ({
    body: await skills.file(params.name, path),
  })),
  implement(SKILLS.diff, async ({ params, query: { from, to } }) => ({
    body: await skills.diff(params.name, from, to),
  })),
  implement(SKILLS.pin, async ({ params, body: { on } }) => {
    await skills.pin(params.name, on);
    return DONE;
  }),
  implement(SKILLS.restore, async ({ params }) => {
    await skills.restore(params.name);
    return DONE;
  }),
];

const learningRoutes = (skills: ServedSkills): Route[] => [
  implement(SKILLS.learning, async ({ principal }) => ({ body: await skills.learning(onlooker(principal)) })),
  ...(['reflect', 'curate'] as const).map((which) =>
    implement(SKILLS[which], async ({ signal }) => ({ body: { events: await skills.pass(which, signal) } })),
  ),
  implement(SKILLS.edit, async ({ params }) => ({ body: await skills.edit(params.id) })),
  implement(SKILLS.undo, async ({ params }) => {
    await skills.undo(params.id);
    return DONE;
  }),
];

const draftRoutes = (skills: ServedSkills): Route[] => [
  implement(SKILLS.drafts, async () => ({ body: await skills.drafts() })),
  implement(SKILLS.approveDraft, async ({ params }) => ({ body: await skills.approveDraft(params.id) })),
  implement(SKILLS.rejectDraft, async ({ params }) => {
    await skills.rejectDraft(params.id);
    return DONE;
  }),
];

const runRoutes = ({ runs }: ServedSkills): Route[] => [
  implement(RUNS.start, async ({ principal, params, body }) => {
    const started = await runs.start(onlooker(principal), params.name, body);
    return started.ageMs === undefined ? { body: started } : { status: 200, body: started };
  }),
  implement(RUNS.list, async ({ principal, query: { skill, limit } }) => ({
    body: await runs.list(onlooker(principal), { ...(skill ? { skill } : {}), limit }),
  })),
  implement(RUNS.show, async ({ principal, params }) => ({
    body: await runs.show(onlooker(principal), params.id),
  })),
  ...(['cancel', 'resume'] as const).map((verb) =>
    implement(RUNS[verb], async ({ principal, params }) => {
      await runs[verb](onlooker(principal), params.id);
      return DONE;
    }),
  ),
  implement(RUNS.answer, async ({ principal, params, body: { choice } }) => {
    await runs.answer(onlooker(principal), params.id, params.question, choice);
    return DONE;
  }),
  implement(RUNS.decide, async ({ principal, params, body: { granted } }) => {
    await runs.decide(onlooker(principal), params.id, params.approval, granted);
    return DONE;
  }),
];

const APPROVERS: readonly Principal['role'][] = ['approver', 'admin'];

/** Nobody who was not authenticated comes here; if one did, they would be nobody. */
function onlooker(principal: Principal | undefined): SkillOnlooker {
  if (!principal) throw fail('input.unauthorized', 'This needs a token.');
  const { channel, user, role } = principal;
  return { channel, user, isOwner: role === 'admin', mayAgree: APPROVERS.includes(role) };
}
