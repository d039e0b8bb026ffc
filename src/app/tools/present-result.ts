import { cutMiddle } from '#kit/cut-middle';
import { type KnownSecrets, redact } from '#kit/redact';
import type { BatchDeps } from '#engines/agent';
import type { KeptFiles } from './open-place.ts';

/** Makes what a tool says fit for the model: without secrets, and where it is long, a preview of a file that has it all. */
export function resultPresenter(kept: KeptFiles, secrets: KnownSecrets): BatchDeps['present'] {
  return async (text, limit, { name }) => {
    const clean = redact(text, secrets);
    if (clean.length <= limit) return clean;
    const path = await kept.keep(`${name}.txt`, new TextEncoder().encode(clean));
    const note = `\n\n[${clean.length} characters; all of it: read_file ${path}]`;
    return `${cutMiddle(clean, Math.max(200, limit - note.length))}${note}`;
  };
}
