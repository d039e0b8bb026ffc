import { cp, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { atomicWrite, readText } from '#adapters/store';
import { fail } from '#kit/app-error';
import type { Language } from '#kit/language';
import { Alert, Incident } from '#spec/data';
import type { Host } from '../open-host.ts';

type Needs = Pick<Host, 'incidents' | 'redactor'>;

const MOST_FACTS = 100_000;
const RECORD = 'record.json';

/** All that is kept about one incident, as people and other programs can read it. */
const IncidentRecord = z.object({
  incident: Incident,
  alerts: z.array(Alert),
  facts: z.array(z.looseObject({ type: z.string(), at: z.string(), seq: z.number(), data: z.unknown() })),
});

/** Writes an incident into a folder: its record, its post-mortem, and what was collected, as an incident bundle. */
export async function exportIncident(
  host: Needs,
  id: string,
  folder: string,
  language: Language,
): Promise<string> {
  const { store, archive, report, must } = await host.incidents();
  const incident = await must(id);
  await mkdir(folder, { recursive: true });
  const [alerts, facts, { markdown, html }] = await Promise.all([
    store.alerts(id),
    store.facts(id, 0, MOST_FACTS),
    report(id, language),
  ]);
  const { text: clean } = await host.redactor();
  const collected = archive.folder(id, incident.round);
  if (await isFolder(collected)) await cp(collected, folder, { recursive: true });
  await atomicWrite(
    join(folder, RECORD),
    clean(`${JSON.stringify({ incident, alerts, facts }, undefined, 2)}\n`),
  );
  await atomicWrite(join(folder, 'postmortem.md'), clean(markdown));
  await atomicWrite(join(folder, 'postmortem.html'), clean(html));
  return folder;
}

/** Takes exported records in again: one folder, or a folder of them. What is known already stays. */
export async function importIncidents(host: Needs, folder: string): Promise<number> {
  const own = await readText(join(folder, RECORD));
  const folders = own === undefined ? (await readdir(folder)).map((name) => join(folder, name)) : [folder];
  let count = 0;
  for (const each of folders) {
    const text = await readText(join(each, RECORD));
    if (text !== undefined && (await importOne(host, each, text))) count += 1;
  }
  if (count === 0 && own === undefined && folders.length === 0)
    throw fail(
      'input.invalid',
      `${folder} has no ${RECORD} in it.`,
      'hermes incident export <id> writes one.',
    );
  return count;
}

async function importOne(host: Needs, folder: string, text: string): Promise<boolean> {
  const { restore, archive } = await host.incidents();
  const read = IncidentRecord.safeParse(JSON.parse(text));
  if (!read.success) {
    const [issue] = read.error.issues;
    throw fail('input.invalid', `${join(folder, RECORD)}: ${issue?.path.join('.')}: ${issue?.message}`);
  }
  const { incident, alerts, facts } = read.data;
  const taken = await restore({ incident, alerts, facts });
  if (taken) await cp(folder, archive.folder(incident.id, incident.round), { recursive: true });
  return taken;
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
