import { z } from 'zod';
import type { ServedSkills, SkillOnlooker } from '#host';
import { fail } from '#kit/app-error';
import { defineRoute, type Principal, type Route, type RouteRequest } from '#spec/ports';
import { readJson, readNumber } from './read-json.ts';

const MOST_RUNS = 200;
const MOST_WORDS = 500;

const Start = z.strictObject({
  args: z.record(z.string().max(200), z.unknown()).default({}),
  dryRun: z.boolean().default(false),
  fresh: z.boolean().default(false),
  language: z.enum(['en', 'zh']).default('en'),
  from: z.strictObject({ step: z.string().max(200), run: z.string().max(200) }).optional(),
  backend: z.string().min(1).max(100).optional(),
});
const Pin = z.strictObject({ on: z.boolean() });
const Answer = z.strictObject({ choice: z.string().max(500) });
const Granted = z.strictObject({ granted: z.boolean() });
const Started = z.object({ run: z.string(), ageMs: z.number().optional() });

const DONE = { status: 200, body: { done: true } };

/** The HTTP API of skills: the library, what was learned, drafts, and runs of workflows. */
export function skillRoutes(skills: ServedSkills): Route[] {
  return [...libraryRoutes(skills), ...learningRoutes(skills), ...draftRoutes(skills), ...runRoutes(skills)];
}

function libraryRoutes(skills: ServedSkills): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/skills',
      access: 'read',
      about: {
        summary: 'Skills by name, or those that are found for some words, with how they do',
        query: { text: 'what they are wanted for' },
      },
      handle: async ({ query }) => ({
        status: 200,
        body: await skills.list((query.get('text') ?? '').slice(0, MOST_WORDS)),
      }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/skills/:name',
      access: 'read',
      about: {
        summary: 'A skill with its text, versions, uses, plan and where it came from',
        query: { language: 'en or zh' },
      },
      handle: async (request) => {
        const language = request.query.get('language') === 'zh' ? 'zh' : 'en';
        return { status: 200, body: await skills.show(onlooker(request), named(request), language) };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/skills/:name/files',
      access: 'read',
      about: { summary: 'A file beside a SKILL.md', query: { path: 'relative to its folder' } },
      handle: async (request) => ({
        status: 200,
        body: await skills.file(named(request), wanted(request, 'path')),
      }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/skills/:name/diff',
      access: 'read',
      about: {
        summary: 'What differs between two texts of a skill',
        query: { from: 'digest of the older one', to: 'digest of the newer one; `current`: as it is now' },
        answer: z.object({ diff: z.string() }),
      },
      handle: async (request) => ({
        status: 200,
        body: await skills.diff(named(request), wanted(request, 'from'), wanted(request, 'to')),
      }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/skills/:name/pin',
      access: 'write',
      about: { summary: 'Have Hermes never touch a skill, or let it again', body: Pin },
      handle: async (request) => {
        await skills.pin(named(request), readJson(request, Pin).on);
        return DONE;
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/skills/:name/restore',
      access: 'write',
      about: { summary: 'Offer a demoted skill again' },
      handle: async (request) => {
        await skills.restore(named(request));
        return DONE;
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/skills/:name/runs',
      access: 'write',
      about: { summary: 'Run a workflow', body: Start, answer: Started },
      handle: async (request) => {
        const asked = readJson(request, Start, {});
        const started = await skills.runs.start(onlooker(request), named(request), asked);
        return { status: started.ageMs === undefined ? 202 : 200, body: started };
      },
    }),
  ];
}

function learningRoutes(skills: ServedSkills): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/learning',
      access: 'read',
      about: { summary: 'What was learned: edits, proposals, and how the loop stands' },
      handle: async (request) => ({ status: 200, body: await skills.learning(onlooker(request)) }),
    }),
    ...(['reflect', 'curate'] as const).map((which) =>
      defineRoute({
        method: 'POST',
        path: `/api/learning/${which}`,
        access: 'write',
        about: { summary: which === 'reflect' ? 'Look now at how skills do' : 'Tidy learned skills now' },
        handle: async ({ signal }) => ({ status: 200, body: { events: await skills.pass(which, signal) } }),
      }),
    ),
    defineRoute({
      method: 'GET',
      path: '/api/skill-edits/:id',
      access: 'read',
      about: { summary: 'An edit of a skill, with its diff' },
      handle: async (request) => ({ status: 200, body: await skills.edit(identified(request)) }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/skill-edits/:id/undo',
      access: 'write',
      about: { summary: 'Put back what was there before an edit' },
      handle: async (request) => {
        await skills.undo(identified(request));
        return DONE;
      },
    }),
  ];
}

function draftRoutes(skills: ServedSkills): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/skill-drafts',
      access: 'admin',
      about: { summary: 'Changes of skills that wait for the owner' },
      handle: async () => ({ status: 200, body: await skills.drafts() }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/skill-drafts/:id/approve',
      access: 'admin',
      person: true,
      about: { summary: 'Have a draft written' },
      handle: async (request) => ({ status: 200, body: await skills.approveDraft(identified(request)) }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/skill-drafts/:id/reject',
      access: 'admin',
      about: { summary: 'Let a draft go' },
      handle: async (request) => {
        await skills.rejectDraft(identified(request));
        return DONE;
      },
    }),
  ];
}

function runRoutes({ runs }: ServedSkills): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/skill-runs',
      access: 'read',
      about: {
        summary: 'Runs of workflows that you may see, newest first',
        query: { skill: 'of this skill', limit: 'at most so many' },
      },
      handle: async (request) => {
        const skill = request.query.get('skill');
        const limit = readNumber(request.query, 'limit', MOST_RUNS, 50);
        return {
          status: 200,
          body: await runs.list(onlooker(request), { ...(skill ? { skill } : {}), limit }),
        };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/skill-runs/:id',
      access: 'read',
      about: { summary: 'A run step by step, with what it waits for' },
      handle: async (request) => ({
        status: 200,
        body: await runs.show(onlooker(request), identified(request)),
      }),
    }),
    ...(['cancel', 'resume'] as const).map((verb) =>
      defineRoute({
        method: 'POST',
        path: `/api/skill-runs/:id/${verb}`,
        access: 'write',
        about: {
          summary: verb === 'cancel' ? 'Begin no further step' : 'Go on with a run that was left behind',
        },
        handle: async (request) => {
          await runs[verb](onlooker(request), identified(request));
          return { status: 202, body: { done: true } };
        },
      }),
    ),
    defineRoute({
      method: 'POST',
      path: '/api/skill-runs/:id/answers/:question',
      access: 'write',
      person: true,
      about: { summary: 'Answer what a step asks', body: Answer },
      handle: async (request) => {
        const { choice } = readJson(request, Answer);
        const question = request.params['question'] ?? '';
        await runs.answer(onlooker(request), identified(request), question, choice);
        return DONE;
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/skill-runs/:id/approvals/:approval',
      access: 'approve',
      about: { summary: 'Agree to a call of a run, or refuse it', body: Granted },
      handle: async (request) => {
        const { granted } = readJson(request, Granted);
        const approval = request.params['approval'] ?? '';
        await runs.decide(onlooker(request), identified(request), approval, granted);
        return DONE;
      },
    }),
  ];
}

const APPROVERS: readonly Principal['role'][] = ['approver', 'admin'];

/** Nobody who was not authenticated comes here; if one did, they would be nobody. */
function onlooker({ principal }: RouteRequest): SkillOnlooker {
  if (!principal) throw fail('input.unauthorized', 'This needs a token.');
  const { channel, user, role } = principal;
  return { channel, user, isOwner: role === 'admin', mayAgree: APPROVERS.includes(role) };
}

const named = ({ params }: RouteRequest): string => params['name'] ?? '';
const identified = ({ params }: RouteRequest): string => params['id'] ?? '';

function wanted({ query }: RouteRequest, name: string): string {
  const value = query.get(name);
  if (!value) throw fail('input.invalid', `${name}: it is missing.`);
  return value;
}
