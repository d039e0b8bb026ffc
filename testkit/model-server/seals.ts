import { createHash } from 'node:crypto';

/**
 * Signatures on thinking. A vendor's signature proves that the thinking came from it unchanged; these do the
 * same, so that a client that drops, alters or mixes up what it must send back is refused.
 */
export interface Seals {
  seal(thinking: string): string;
  /** Remembers a signature that a script chose itself. */
  issue(signature: string, thinking: string): void;
  /** The signature belongs to exactly this thinking. */
  fits(signature: string, thinking: string): boolean;
  /** The signature came from here, whatever it belongs to. */
  genuine(signature: string): boolean;
  /** Remembers which tool calls were made without thinking: there is none to send back with them. */
  issueCalls(ids: readonly string[], thought: boolean): void;
  calledWithoutThinking(id: string): boolean;
}

const hash = (text: string | Buffer) => createHash('sha256').update(text).digest();
const proof = (digest: Buffer) => hash(Buffer.concat([Buffer.from('model-server'), digest]));

function seal(thinking: string): string {
  const digest = hash(thinking);
  return Buffer.concat([digest, proof(digest)]).toString('base64');
}

function ownSeal(signature: string): boolean {
  const bytes = Buffer.from(signature, 'base64');
  return bytes.length === 64 && bytes.subarray(32).equals(proof(bytes.subarray(0, 32)));
}

export function createSeals(): Seals {
  const issued = new Map<string, Set<string>>();
  const bareCalls = new Set<string>();
  return {
    seal,
    issue(signature, thinking) {
      issued.set(signature, (issued.get(signature) ?? new Set()).add(thinking));
    },
    fits: (signature, thinking) =>
      signature === seal(thinking) || issued.get(signature)?.has(thinking) === true,
    genuine: (signature) => issued.has(signature) || ownSeal(signature),
    issueCalls(ids, thought) {
      for (const id of ids) {
        if (thought) bareCalls.delete(id);
        else bareCalls.add(id);
      }
    },
    calledWithoutThinking: (id) => bareCalls.has(id),
  };
}
