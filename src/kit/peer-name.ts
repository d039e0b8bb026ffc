const PEER_KEYS = ['peer.service', 'server.address', 'net.peer.name', 'peer', 'destination'];
const STORE_KEYS = ['db.namespace', 'db.system.name', 'db.system'];
/** An address of numbers names nobody. */
const NOBODY = /^(?:localhost|unknown|\[?[0-9a-f:]*:[0-9a-f:]*\]?|[\d.]+)(?::\d+)?$/i;
/** Ends of addresses within one network: what stands before them is the name. */
const INSIDE = /\.(?:svc|cluster|local|internal)(?:\.|$)/;

/** Who is at the other end of a call, by what the caller notes of it. */
export function peerName(attributes: Readonly<Record<string, unknown>>): string | undefined {
  const found = [...PEER_KEYS, ...STORE_KEYS]
    .map((key) => attributes[key] ?? attributes[key.replaceAll('.', '_')])
    .find((value): value is string => typeof value === 'string' && value !== '' && !NOBODY.test(value));
  const host = found?.replace(/^[a-z]+:\/\//i, '').replace(/[:/].*$/, '');
  return host && INSIDE.test(host) ? host.split('.', 1)[0] : host;
}

/** Whether a caller asks a database. */
export const asksStore = (attributes: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(attributes).some((key) => /^db[._]/.test(key));
