import { z } from 'zod';
import { fail } from '#kit/app-error';
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

export interface HomeUser {
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
