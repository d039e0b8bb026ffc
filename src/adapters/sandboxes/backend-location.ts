import { isRecord } from '#kit/is-record';
import type { Sandbox } from '#spec/ports';
import type { BackendEntry } from './parse-backends.ts';

/** Where the commands of a backend run, and what can be read of a machine from there. */
export interface BackendLocation {
  /** For people: `on this machine`, `in the bubblewrap sandbox`, `on ssh host web-1`. */
  readonly where: string;
  /**
   * `there`: a command sees the machine, the container or the host that it runs on. `outside`: it runs in a sandbox on
   * this machine, which is read from outside. `hidden`: it runs in a sandbox of another machine, and nothing can be told.
   */
  readonly reads: 'there' | 'outside' | 'hidden';
}

export function backendLocation(
  { name, type, options }: BackendEntry,
  { isolation }: Pick<Sandbox, 'isolation'>,
  machine: string,
): BackendLocation {
  const called = name === type ? '' : ` '${name}'`;
  if (isolation === 'none') return { where: machine, reads: 'there' };
  if (isolation === 'process') return { where: `in the ${type} sandbox${called}`, reads: 'outside' };
  if (isolation === 'container') return { where: `in the ${type} container${called}`, reads: 'there' };
  const host = isRecord(options) && typeof options.host === 'string' ? options.host : undefined;
  if (host === undefined) return { where: `in the ${type} sandbox${called}`, reads: 'there' };
  return isRecord(options) && options.sandbox
    ? { where: `in the sandbox on ${type} host ${host}`, reads: 'hidden' }
    : { where: `on ${type} host ${host}`, reads: 'there' };
}
