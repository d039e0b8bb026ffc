import { createHash, randomBytes } from 'node:crypto';
import { parseDocument, YAMLSeq } from 'yaml';
import { atomicWrite, readText, withFileLock } from '#adapters/store';
import { fail } from '#kit/app-error';
import { isRecord } from '#kit/is-record';
import type { Host } from '../open-host.ts';
import { type HomeUser, readUsers } from './read-users.ts';

type Needs = Pick<Host, 'home' | 'loaded'>;

/** Adds somebody to `users.yaml`. The token is told to the caller and kept nowhere; the file has its hash. */
export async function addUser(host: Needs, user: string, role: string): Promise<string> {
  const token = randomBytes(24).toString('base64url');
  const hash = createHash('sha256').update(token).digest('hex');
  await change(host, (list) => {
    if (namesIn(list).includes(user)) throw fail('input.conflict', `'${user}' is among the users already.`);
    list.add({ user, role, token_sha256: hash });
  });
  return token;
}

export async function removeUser(host: Needs, user: string): Promise<void> {
  await change(host, (list) => {
    const at = namesIn(list).indexOf(user);
    if (at < 0) throw fail('input.not_found', `There is no user '${user}'.`, 'hermes users');
    list.delete(at);
  });
}

export const listUsers = (host: Needs): Promise<readonly HomeUser[]> => readUsers(host);

/** What stands in the file stays as it is, comments included. What cannot be read afterwards is not written. */
async function change(host: Needs, edit: (list: YAMLSeq) => void): Promise<void> {
  const path = host.home.file('users.yaml');
  await withFileLock(path, async () => {
    const before = (await readText(path)) ?? '';
    await readUsers(host);
    const document = parseDocument(before);
    const list = document.contents instanceof YAMLSeq ? document.contents : new YAMLSeq(document.schema);
    edit(list);
    document.contents = list as typeof document.contents;
    await atomicWrite(path, document.toString(), { mode: 0o600 });
    await readUsers(host).catch(async (thrown: unknown) => {
      await atomicWrite(path, before, { mode: 0o600 });
      throw thrown;
    });
  });
}

const namesIn = (list: YAMLSeq): unknown[] =>
  list.toJSON().map((entry) => (isRecord(entry) ? entry['user'] : undefined));
