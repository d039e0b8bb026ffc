import type * as api from '#spec/api';
import { needsPerson } from '#kit/needs-person';
import { OPEN_STATES } from '#spec/data';
import type { HomeIncidents } from '../incidents/home-incidents.ts';
import type { Dependencies } from '../dependencies.ts';
import type { HomeReach } from './home-reach.ts';
import type { WaysIn } from './view-interfaces.ts';
import { viewReach } from './view-reach.ts';

type Needs = Pick<Dependencies, 'memory' | 'profile' | 'skills' | 'unread' | 'version' | 'writtenJobs'>;

export type ServedStatus = api.Given<api.ServedStatus>;

const MOST_OPEN = 10_000;

/** What a process that serves a home says of itself. */
export async function servedStatus(
  deps: Needs,
  incidents: HomeIncidents,
  reach: Pick<HomeReach, 'things'>,
  alerts: WaysIn,
): Promise<ServedStatus> {
  const [open, approvals, memory, skills, cron, unread] = await Promise.all([
    incidents.store.summaries({ states: OPEN_STATES, limit: MOST_OPEN }),
    incidents.approvals(false),
    deps.memory().then(({ store }) => store.count()),
    deps.skills().then(({ library }) => library.all()),
    deps.writtenJobs(),
    deps.unread(),
  ]);
  return {
    pid: process.pid,
    version: deps.version,
    profile: deps.profile,
    startedAt: new Date(Date.now() - process.uptime() * 1_000).toISOString(),
    incidents: {
      open: open.length,
      needsPerson: open.filter(needsPerson).length,
    },
    approvals: approvals.length,
    reach: reach.things().map(viewReach),
    ...(cron === undefined ? {} : { cron }),
    unread,
    gateway: { on: alerts.on, off: alerts.off.map(({ name }) => name) },
    memory,
    skills: { all: skills.length, custom: skills.filter(({ trust }) => trust !== 'builtin').length },
  };
}
