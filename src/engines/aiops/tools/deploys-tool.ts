import { z } from 'zod';
import type { Tool } from '#spec/ports';
import { askBackends } from './ask-backends.ts';
import { defineIncidentTool, type IncidentToolDeps } from './define-incident-tool.ts';
import { cell, said, table } from './show-table.ts';
import { spanInput, spanMs, windowBefore } from './time-window.ts';

const MOST_CHANGES = 200;

interface Input {
  service?: string | undefined;
  since: string;
  limit: number;
}

export function deploysTool({ desk, now }: IncidentToolDeps): Tool {
  return defineIncidentTool<Input>({
    name: 'recent_deploys',
    description:
      'Lists deploys, commits, configuration changes and flags of a service, or of all, newest first.',
    input: z.strictObject({
      service: z.string().min(1).max(200).optional(),
      since: spanInput('2h', '30d'),
      limit: z.int().min(1).max(50).default(20),
    }),
    run: async ({ service, since, limit }, { signal }) => {
      const scope = {
        window: windowBefore(now(), spanMs(since)),
        limit: MOST_CHANGES,
        ...(service === undefined ? {} : { services: [service] }),
      };
      const { items, notes } = await askBackends(
        await desk.sources(),
        'changes',
        scope.window,
        (source, stop) => source.changes(scope, stop),
        { now, signal },
      );
      const newest = items.toSorted((one, other) => Date.parse(other.time) - Date.parse(one.time));
      const rows = newest
        .slice(0, limit)
        .map((change) => [
          cell(change.id, 60),
          change.kind,
          cell(change.service ?? '-', 60),
          change.time,
          `${Math.round((now() - Date.parse(change.time)) / 60_000)} min ago`,
          cell(change.summary),
        ]);
      const text = rows.length
        ? table(['id', 'kind', 'service', 'time', 'age', 'summary'], rows)
        : `Nothing was changed in the last ${since}.`;
      const more = newest.length > limit ? [`${newest.length - limit} more are not shown`] : [];
      return said([text, ...more, ...notes].join('\n'), `${newest.length} changes`, {
        changes: newest.slice(0, limit).map(({ id, kind, service: of, time, summary }) => ({
          id,
          kind,
          service: of,
          time,
          summary: cell(summary),
        })),
      });
    },
  });
}
