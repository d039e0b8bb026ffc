import { comesFromCommand } from './comes-from-command.ts';
import { hasTerminal } from './has-terminal.ts';
import { peerProcess } from './peer-process.ts';

interface Peer {
  readonly address: string;
  readonly port: number;
  readonly from: number;
}

/** What is known of the process at the other end of a connection. Of other machines, nothing. */
export const peerKnowledge = {
  fromCommand: (peer: Peer): boolean => {
    const pid = peerProcess(peer.from, peer.port);
    return pid !== undefined && comesFromCommand(pid);
  },
  atTerminal: (peer: Peer): boolean => {
    const pid = LOOPBACK.has(peer.address.replace(/^127\..*/, '127'))
      ? peerProcess(peer.from, peer.port)
      : undefined;
    return pid !== undefined && hasTerminal(pid) && !comesFromCommand(pid);
  },
};

/** As the server writes addresses: of IPv6 the network alone. */
const LOOPBACK: ReadonlySet<string> = new Set(['127', '0:0:0:0::/64']);
