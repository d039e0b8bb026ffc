import { ARCHITECTURES } from './seccomp-calls.ts';

/** One instruction of the kernel's packet filter machine. */
type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

const LOAD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_AT_LEAST = 0x35;
const JUMP_ANY_BIT = 0x45;
const RETURN = 0x06;

/** Where the kernel puts what a call is about; the low half of an argument comes first on both machines. */
const NUMBER_AT = 0;
const ARCHITECTURE_AT = 4;
const FIRST_ARGUMENT_AT = 16;
const SECOND_ARGUMENT_AT = 24;

const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const refuse = (errno: number): number => 0x00050000 | errno;
const EPERM = refuse(1);
/** Programs that meet it go on with the older call. */
const ENOSYS = refuse(38);
const EAFNOSUPPORT = refuse(97);

/** IPv4, IPv6 and the talk with the kernel about both. No local sockets, no talk with a hypervisor, no rare families. */
const SOCKET_FAMILIES = [2, 10, 16];
/** New mount, cgroup, uts, ipc, user, pid and network namespaces. */
const NAMESPACE_FLAGS = 0x7e020000;
/** Pushing characters into the input of a terminal. */
const TERMINAL_REQUESTS = [0x5412, 0x541c];

const NOT_THERE = ['io_uring_setup', 'io_uring_enter', 'io_uring_register', 'clone3'];
const CONDITIONAL = ['socket', 'clone', 'unshare', 'ioctl'];

/** A filter for `bwrap --seccomp`, or undefined for a machine that we have no table for. */
export function seccompFilter(machine: string): Uint8Array | undefined {
  const architecture = ARCHITECTURES[machine];
  if (!architecture) return undefined;
  const { audit, foreignFrom, calls } = architecture;
  const number = (name: string): number => calls[name] as number;
  const refused = Object.keys(calls).filter(
    (name) => !NOT_THERE.includes(name) && !CONDITIONAL.includes(name),
  );
  return assemble([
    [LOAD, 0, 0, ARCHITECTURE_AT],
    [JUMP_EQUAL, 1, 0, audit],
    [RETURN, 0, 0, KILL],
    [LOAD, 0, 0, NUMBER_AT],
    ...(foreignFrom === undefined ? [] : when(JUMP_AT_LEAST, foreignFrom, ENOSYS)),
    ...refused.flatMap((name) => when(JUMP_EQUAL, number(name), EPERM)),
    ...NOT_THERE.flatMap((name) => when(JUMP_EQUAL, number(name), ENOSYS)),
    ...inCall(number('socket'), [
      [LOAD, 0, 0, FIRST_ARGUMENT_AT],
      ...SOCKET_FAMILIES.flatMap((family) => when(JUMP_EQUAL, family, ALLOW)),
      [RETURN, 0, 0, EAFNOSUPPORT],
    ]),
    ...['clone', 'unshare'].flatMap((name) =>
      inCall(number(name), [
        [LOAD, 0, 0, FIRST_ARGUMENT_AT],
        ...when(JUMP_ANY_BIT, NAMESPACE_FLAGS, EPERM),
        [RETURN, 0, 0, ALLOW],
      ]),
    ),
    ...inCall(number('ioctl'), [
      [LOAD, 0, 0, SECOND_ARGUMENT_AT],
      ...TERMINAL_REQUESTS.flatMap((request) => when(JUMP_EQUAL, request, EPERM)),
      [RETURN, 0, 0, ALLOW],
    ]),
    [RETURN, 0, 0, ALLOW],
  ]);
}

const when = (test: number, value: number, answer: number): Instruction[] => [
  [test, 0, 1, value],
  [RETURN, 0, 0, answer],
];

/** The body of one call; it must end with an answer. */
const inCall = (number: number, body: readonly Instruction[]): Instruction[] => [
  [JUMP_EQUAL, 0, body.length, number],
  ...body,
];

/** Eight bytes an instruction, little-endian as both machines are. */
function assemble(program: readonly Instruction[]): Uint8Array {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [at, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(ifTrue, at * 8 + 2);
    bytes.writeUInt8(ifFalse, at * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, at * 8 + 4);
  }
  return bytes;
}
