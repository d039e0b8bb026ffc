import { join } from 'node:path';
import { readText } from '#adapters/store';
import { AppError } from '#kit/app-error';
import type { Skill } from '#spec/data';
import type { Host } from '../open-host.ts';
import { openHomeYaml } from './home-yaml.ts';
import { NOT_READ_YET, type Problem, readYaml, siftUnread, unreadVariables } from '#config';

type Needs = Pick<Host, 'home' | 'loaded' | 'skills'>;

/** Everything that people have configured in this home and that nothing reads, with its place. */
export async function findUnread(host: Needs): Promise<readonly Problem[]> {
  const { home, loaded } = host;
  const path = home.file('.env');
  const text = (await readText(path)) ?? '';
  const files = (['gateway.yaml', 'cron.yaml', 'imported.yaml'] as const).map((name) => home.file(name));
  const skills = await host.skills().then(({ library }) => library.all());
  return [
    ...(await Promise.all(files.map(unreadOf))).flat(),
    ...(loaded.profileFile?.unread ?? []),
    ...skills.flatMap((skill) => unreadOfSkill(skill, home.dir('skills'))),
    ...unreadVariables(loaded.env, { path, text }),
  ];
}

/** How many jobs a file of this home lists that nothing runs yet; undefined where there is no such file. */
export async function writtenJobs({ home }: Pick<Host, 'home'>): Promise<number | undefined> {
  const text = await readText(home.file('cron.yaml'));
  if (text === undefined) return undefined;
  const { data } = readYaml(text, 'cron.yaml');
  const jobs = (data as { readonly cron?: unknown } | null | undefined)?.cron ?? data;
  return Array.isArray(jobs) ? jobs.length : 0;
}

async function unreadOf(file: string): Promise<readonly Problem[]> {
  try {
    return (await openHomeYaml(file))?.unread ?? [];
  } catch (thrown) {
    // Whoever reads the file tells of it; here it is one that nobody reads.
    if (!(thrown instanceof AppError) || thrown.record.code !== 'config.invalid') throw thrown;
    return [{ source: file, path: '', message: thrown.record.message.replace(`${file}:`, '') }];
  }
}

/** Keys of a skill that somebody wrote. Those that came with Hermes hold none. */
function unreadOfSkill({ form, root, path, body }: Skill, folder: string): readonly Problem[] {
  if (form !== 'workflow' || root === 'builtin') return [];
  const file = root === 'home' ? join(folder, path) : path;
  return siftUnread(readYaml(body, file), file, NOT_READ_YET.skill, ['skill']).warnings;
}
