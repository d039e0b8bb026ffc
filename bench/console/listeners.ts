import { Agent, type IncomingMessage, request } from 'node:http';

/** What all clients together have heard. */
export interface Listeners {
  /** From the moment that an event was written until a client had it, of every event and client. */
  readonly ms: readonly number[];
  readonly heard: number;
  /** Streams that ended by themselves. */
  readonly lost: number;
  /** Events that some client has and another has not, since the beginning. */
  readonly missed: number;
  /** Begins to count times anew. */
  forget(): void;
  close(): void;
}

/** So many open streams of events, each over a connection of its own, as that many open consoles have. */
export async function openListeners(count: number, url: string, token: string): Promise<Listeners> {
  const agent = new Agent({ keepAlive: true, maxSockets: count });
  const tally = { ms: [] as number[], heard: 0, lost: 0, closed: false };
  const counts = Array.from({ length: count }, () => 0);
  const responses = await Promise.all(
    Array.from({ length: count }, () => openStream(`${url}/api/events`, token, agent)),
  );
  for (const [index, response] of responses.entries()) {
    let rest = '';
    response.setEncoding('utf8');
    response.on('data', (text: string) => {
      const now = Date.now();
      const frames = (rest + text).split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames) {
        const at = /"at":"([^"]+)"/.exec(frame)?.[1];
        if (!at) continue;
        tally.heard++;
        counts[index] = (counts[index] ?? 0) + 1;
        tally.ms.push(now - Date.parse(at));
      }
    });
    response.on('close', () => {
      if (!tally.closed) tally.lost++;
    });
    // Its end is counted; why it ended does not matter here.
    response.on('error', () => response.destroy());
  }
  return {
    get ms() {
      return tally.ms;
    },
    get heard() {
      return tally.heard;
    },
    get lost() {
      return tally.lost;
    },
    get missed() {
      const most = Math.max(...counts);
      return counts.reduce((sum, each) => sum + most - each, 0);
    },
    forget: () => {
      tally.ms = [];
      tally.heard = 0;
    },
    close: () => {
      tally.closed = true;
      agent.destroy();
      for (const response of responses) response.destroy();
    },
  };
}

const openStream = (url: string, token: string, agent: Agent): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      if (response.statusCode === 200) resolve(response);
      else reject(new Error(`the stream of events was refused with ${response.statusCode}`));
    });
    sent.on('error', reject);
    sent.end();
  });
