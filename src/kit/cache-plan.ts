import type { ModelRequest } from '#spec/data';

/** Where cache breakpoints stand: after the tools, after which system blocks, after which messages. */
export interface CachePlan {
  readonly tools: boolean;
  readonly system: ReadonlySet<number>;
  readonly messages: ReadonlySet<number>;
}

const NO_CACHE: CachePlan = { tools: false, system: new Set(), messages: new Set() };

/**
 * At most four breakpoints, where the bytes before them stay the same the longest.
 * Two are fixed: the end of the system prompt, and the end of what outlives a session (its first block when
 * there are several, otherwise the tools). Two roll: the newest input, which the next request will read, and the
 * input before it, which the previous request wrote.
 */
export function planCache(request: ModelRequest): CachePlan {
  if (!request.cacheTtl || request.cacheTtl === 'off') return NO_CACHE;
  const last = request.system.length - 1;
  const system = new Set<number>();
  if (last > 0) system.add(0);
  if (last >= 0) system.add(last);
  const tools = request.tools.length > 0 && last <= 0;
  const inputs = endsOfInput(request);
  return { tools, system, messages: new Set(inputs.slice(-2)) };
}

/** The last message of each run of user and tool messages: what stood at the end of a request. */
function endsOfInput({ messages }: ModelRequest): number[] {
  const ends: number[] = [];
  messages.forEach((message, index) => {
    if (message.role === 'assistant') return;
    const next = messages[index + 1];
    if (!next || next.role === 'assistant') ends.push(index);
  });
  return ends;
}
