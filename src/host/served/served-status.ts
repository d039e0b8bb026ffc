import { OPEN_STATES } from '#spec/data';
import type { Problem } from '../config/problem.ts';
import { findUnread, writtenJobs } from '../config/unread/find-unread.ts';
import type { AlertRoutes } from '../incidents/alert-routes.ts';
import type { HostIncidents } from '../incidents/open-incidents.ts';
import type { Host } from '../open-host.ts';
import type { HomeReach } from '../reach/open-reach.ts';
import { type ReachView, viewReach } from '../reach/view-reach.ts';

export interface ServedStatus {
  readonly pid: number;
  readonly version: string;
  readonly profile: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly incidents: { readonly open: number; readonly needsPerson: number };
  readonly approvals: number;
  /** What it reaches out to, and what came of it. */
  readonly reach: readonly ReachView[];
  /** Jobs that cron.yaml lists and nothing runs yet; undefined where there is no such file. */
  readonly cron?: number;
  /** What is configured and read by nothing, with its place. */
  readonly unread: readonly Problem[];
  readonly gateway: { readonly on: readonly string[]; readonly off: readonly string[] };
  readonly memory: number;
  readonly skills: { readonly all: number; readonly custom: number };
}

const MOST_OPEN = 10_000;

/** What a process that serves a home says of itself. */
export async function servedStatus(
  host: Host,
  incidents: HostIncidents,
  reach: Pick<HomeReach, 'things'>,
  alerts: AlertRoutes,
): Promise<ServedStatus> {
  const [open, approvals, memory, skills, cron, unread] = await Promise.all([
    incidents.store.summaries({ states: OPEN_STATES, limit: MOST_OPEN }),
    incidents.approvals(false),
    host.memory().then(({ store }) => store.count()),
    host.skills().then(({ library }) => library.all()),
    writtenJobs(host),
    findUnread(host),
  ]);
  return {
    pid: process.pid,
    version: host.version,
    profile: host.home.profile,
    startedAt: new Date(Date.now() - process.uptime() * 1_000).toISOString(),
    incidents: {
      open: open.length,
      needsPerson: open.filter(({ state }) => state === 'needs_person').length,
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
