/** One row of `/proc/net/tcp` or `/proc/net/tcp6`. */
interface Socket {
  readonly state: string;
  readonly local: string;
  readonly remote: string;
}

/** By the number that the kernel prints. */
const STATES =
  'ESTABLISHED SYN_SENT SYN_RECV FIN_WAIT1 FIN_WAIT2 TIME_WAIT CLOSE CLOSE_WAIT LAST_ACK LISTEN CLOSING'.split(
    ' ',
  );
const ROW = /^\s*\d+: ([0-9A-F]{8}|[0-9A-F]{32}):([0-9A-F]{4}) (\w+):([0-9A-F]{4}) ([0-9A-F]{2}) /;

/** What the kernel tells about TCP. */
export function procSockets(printed: string): Socket[] {
  return printed.split('\n').flatMap((line) => {
    const [, local, localPort, remote, remotePort, state] = ROW.exec(line) ?? [];
    const name = state && STATES[Number.parseInt(state, 16) - 1];
    if (!name || !local || !localPort || !remote || !remotePort) return [];
    return [{ state: name, local: place(local, localPort), remote: place(remote, remotePort) }];
  });
}

const place = (address: string, port: string): string => {
  const bytes = words(address).flatMap((word) => word.match(/../g)?.toReversed() ?? []);
  const number = Number.parseInt(port, 16);
  if (bytes.length === 4) return `${dotted(bytes)}:${number}`;
  // A socket for both families shows addresses of the older one this way.
  if (/^0{20}FFFF/.test(bytes.join(''))) return `${dotted(bytes.slice(12))}:${number}`;
  return `[${shortSix(bytes)}]:${number}`;
};

/** The kernel prints words of four bytes, the lowest byte first. */
const words = (address: string): readonly string[] => address.match(/.{8}/g) ?? [];
const dotted = (bytes: readonly string[]): string => bytes.map((byte) => Number.parseInt(byte, 16)).join('.');

function shortSix(bytes: readonly string[]): string {
  const groups = (bytes.join('').match(/.{4}/g) ?? []).map((group) =>
    Number.parseInt(group, 16).toString(16),
  );
  return groups.join(':').replace(/(?:^|:)0(?::0)+(?::|$)/, '::');
}
