import { findSecrets } from './find-secrets.ts';

const PRIVATE_KEY = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;

/** Whether a text holds a credential itself, not only words about one; told by what it is. */
export function findCredential(text: string): string | undefined {
  return PRIVATE_KEY.test(text) ? 'private-key' : findSecrets(text)[0]?.kind;
}
