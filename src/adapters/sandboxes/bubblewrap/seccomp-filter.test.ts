import { describe, expect, it } from 'vitest';
import { ARCHITECTURES } from './seccomp-calls.ts';
import { seccompFilter } from './seccomp-filter.ts';

interface Call {
  readonly audit: number;
  readonly number: number;
  readonly args?: readonly number[];
}

/** Runs a filter as the kernel does: the few instructions that ours is made of. */
function decide(filter: Uint8Array, { audit, number, args = [] }: Call): string {
  const bytes = Buffer.from(filter);
  const data = new Map([[0, number], [4, audit], ...args.map((arg, at) => [16 + at * 8, arg] as const)]);
  let held = 0;
  for (let at = 0; at < bytes.length / 8; at++) {
    const code = bytes.readUInt16LE(at * 8);
    const value = bytes.readUInt32LE(at * 8 + 4);
    const jump = (isTrue: boolean) => bytes.readUInt8(at * 8 + (isTrue ? 2 : 3));
    if (code === 0x20) held = data.get(value) ?? 0;
    else if (code === 0x15) at += jump(held === value);
    else if (code === 0x35) at += jump(held >= value);
    else if (code === 0x45) at += jump((held & value) !== 0);
    else if (code === 0x06)
      return value === 0x7fff0000 ? 'allow' : value === 0x80000000 ? 'kill' : `errno ${value & 0xffff}`;
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error('the filter has no end');
}

describe.each(['x64', 'arm64'])('the filter of system calls for %s', (machine) => {
  const architecture = ARCHITECTURES[machine];
  const filter = seccompFilter(machine);
  if (!architecture || !filter) throw new Error('no table');
  const { audit, calls } = architecture;
  const on = (name: string, ...args: number[]) =>
    decide(filter, { audit, number: calls[name] as number, args });

  it('refuses what reaches into the kernel or other processes', () => {
    for (const name of [
      'ptrace',
      'keyctl',
      'bpf',
      'mount',
      'setns',
      'userfaultfd',
      'chroot',
      'open_by_handle_at',
    ]) {
      expect([name, on(name)]).toEqual([name, 'errno 1']);
    }
    for (const name of ['io_uring_setup', 'clone3']) expect([name, on(name)]).toEqual([name, 'errno 38']);
  });

  it('lets sockets of the internet pass, and no others', () => {
    for (const family of [2, 10, 16]) expect(on('socket', family)).toBe('allow');
    for (const family of [0, 1, 17, 38, 40]) expect(on('socket', family)).toBe('errno 97');
  });

  it('lets processes and threads be made, but no namespaces', () => {
    expect(on('clone', 0x01200011)).toBe('allow');
    expect(on('clone', 0x003d0f00)).toBe('allow');
    for (const flag of [0x10000000, 0x20000, 0x40000000, 0x20000000]) {
      expect(on('clone', flag | 17)).toBe('errno 1');
      expect(on('unshare', flag)).toBe('errno 1');
    }
  });

  it('keeps characters out of terminals', () => {
    expect(on('ioctl', 0, 0x5401)).toBe('allow');
    expect(on('ioctl', 0, 0x5412)).toBe('errno 1');
  });

  it('allows the rest, and ends a program of another machine', () => {
    expect(decide(filter, { audit, number: 0 })).toBe('allow');
    expect(decide(filter, { audit, number: 439 })).toBe('allow');
    expect(decide(filter, { audit: 0x40000003, number: 1 })).toBe('kill');
    if (architecture.foreignFrom) {
      expect(decide(filter, { audit, number: architecture.foreignFrom + 41 })).toBe('errno 38');
    }
  });
});

it('has no filter for a machine that it does not know', () => {
  expect(seccompFilter('mips')).toBeUndefined();
});
