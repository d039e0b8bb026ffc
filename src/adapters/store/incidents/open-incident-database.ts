import type { Inbox, IncidentGroups, IncidentLists, IncidentStore } from '#spec/ports';
import type { Clean } from '../sqlite/clean-writes.ts';
import { openConnection } from '../sqlite/connection.ts';
import { writeQueue } from '../sqlite/write-queue.ts';
import { INCIDENT_SCHEMA } from './incident-schema.ts';
import { inboxOf } from './inbox.ts';
import { incidentStore } from './incident-store.ts';
import { type IncidentCopy, restoreIncident } from './restore-incident.ts';

/** The incidents of one home. Several processes may have the same file open. */
export interface IncidentDatabase {
  readonly incidents: IncidentStore & IncidentLists & IncidentGroups;
  readonly inbox: Inbox;
  /** Puts an exported incident in as it was. False: there is one of this id already. */
  restore(copy: IncidentCopy): Promise<boolean>;
  /** Waits for what is being written. Nothing may be called afterwards. */
  close(): Promise<void>;
}

const PATIENCE_MS = 15_000;

export async function openIncidentDatabase(
  path: string,
  { patienceMs = PATIENCE_MS, clean }: { readonly patienceMs?: number; readonly clean?: Clean } = {},
): Promise<IncidentDatabase> {
  const connection = await openConnection(path, INCIDENT_SCHEMA, clean);
  const queue = writeQueue(connection, { path, store: 'incidents' }, patienceMs);
  const restore = restoreIncident(connection);
  return {
    incidents: incidentStore(connection, queue),
    inbox: inboxOf(connection, queue),
    restore: (copy) => queue.write(() => restore(copy)),
    close: async () => {
      await queue.idle();
      connection.close();
    },
  };
}
