import { createHash, randomBytes } from 'node:crypto';
import { parseDocument, YAMLSeq } from 'yaml';
import { z } from 'zod';
import { atomicWrite, readText, withFileLock } from '#adapters/store';
import { fail } from '#kit/app-error';
import { isRecord } from '#kit/is-record';
import { readHomeYaml } from '../config/home-yaml.ts';
import type { Host } from '../open-host.ts';

type Needs = Pick<Host, 'home' | 'loaded'>;

const ROLES = ['viewer', 'operator', 'approver', 'admin'] as const;

const Users = z.array(
  z
    .strictObject({
      user: z.string().regex(/^[\p{L}\p{N}._@-]{1,64}$/u, 'letters, digits and . _ @ - only'),
      role: z.enum(ROLES),
      /** SHA-256 of the token: whoever reads the home cannot use it, so its holder is taken for a person. */
      token_sha256: z
        .string()
        .regex(/^[0-9a-f]{64}$/, 'it is a SHA-256 in hexadecimal')
        .optional(),
      /** The name of the variable that has the token, in `.env`. It agrees to nothing. */
      token_key: z
        .string()
        .regex(/^[A-Za-z_]\w*$/, 'it is the name of a variable')
        .optional(),
    })
    .refine(
      ({ token_sha256, token_key }) => (token_sha256 === undefined) !== (token_key === undefined),
      'it has either token_sha256 or token_key',
    ),
);

interface HomeUser {
  readonly user: string;
  readonly role: (typeof ROLES)[number];
  readonly token?: string;
  readonly tokenHash?: string;
}

/** Names that mean something else already. */
const TAKEN = new Set(['token', 'read_only_token', 'local', 'loopback']);

/** People who may use the server of this home, as `users.yaml` lists them. A missing file is fine. */
export async function readUsers({ home, loaded }: Needs): Promise<readonly HomeUser[]> {
  const path = home.file('users.yaml');
  const users = await readHomeYaml(path, Users, []);
  return users.map(({ user, role, token_key = '', token_sha256 }) => {
    if (TAKEN.has(user)) throw fail('config.invalid', `${path}: '${user}' cannot be the name of somebody.`);
    if (token_sha256) return { user, role, tokenHash: token_sha256 };
    const token = loaded.env[token_key]?.trim();
    if (!token)
      throw fail(
        'config.invalid',
        `${path}: ${token_key}, the token of '${user}', is not set.`,
        `Make one with \`openssl rand -hex 24\` and put it into ${home.file('.env')} as ${token_key}.`,
      );
    return { user, role, token };
  });
}

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
