import { quoteWord } from '../process/shell-script.ts';

/** The port of the proxy as commands see it. */
export const PROXY_PORT = 3128;

/**
 * Run by Node from its command line, so that it needs no file: each connection goes on to the socket of the proxy. It
 * ends with its input, which is ours.
 */
const PROGRAM = `
const net = require('node:net');
const server = net.createServer({ allowHalfOpen: true }, (near) => {
  const far = net.connect({ path: process.argv[1], allowHalfOpen: true });
  near.pipe(far).pipe(near);
  near.on('error', () => far.destroy());
  far.on('error', () => near.destroySoon());
});
process.stdout.on('error', () => {});
process.stdin.on('end', () => process.exit()).on('error', () => process.exit()).resume();
server.listen(${PROXY_PORT}, '127.0.0.1', () => process.stdout.write('ready\\n'));
`;

/**
 * What stands before a command that may reach some hosts: a namespace with a network of its own, in which a relay
 * listens and the command's own namespace is then made. The relay is outside of that one: the command can neither see
 * it nor end it, and the filter that keeps the command from local sockets does not hold for it.
 */
export function relayPrefix(bwrap: string, shell: string, socket: string, descriptor: number): string[] {
  const relay = [process.execPath, '-e', PROGRAM, socket].map(quoteWord).join(' ');
  const script = [
    `exec 9< <(exec ${relay} <&${descriptor} ${descriptor}<&- 2>/dev/null) ${descriptor}<&-`,
    'read -r -u 9 _ || exit 125',
    'exec "$@" 9<&-',
  ].join('; ');
  const space = ['--unshare-user', '--unshare-net', '--die-with-parent', '--dev-bind', '/', '/'];
  return [bwrap, ...space, '--', shell, '-c', script, 'relay'];
}
