import type { ToolContext } from '#spec/ports';
import { keptLog } from '../log/kept-log.ts';

/**
 * What a tool is given in a test: the parts that the test names, real ones, and nothing else. A tool that reaches for
 * a power that it was not given fails by name.
 */
export function toolContext(given: Partial<ToolContext> = {}): ToolContext {
  const plain: Partial<ToolContext> = {
    call: 'call_1',
    session: 'session_1',
    audience: { source: 'test', user: 'u', chat: 'c' },
    signal: new AbortController().signal,
    sees: false,
    key: () => undefined,
    program: () => undefined,
    askModel: async () => undefined,
    log: keptLog(),
    todos: { read: () => [], write: () => undefined },
    update: () => undefined,
  };
  return new Proxy({ ...plain, ...given } as ToolContext, {
    get(target, name, receiver) {
      if (name in target || name === 'ask' || name === 'language' || typeof name === 'symbol')
        return Reflect.get(target, name, receiver);
      throw new Error(`this test gives its tool no '${name}'`);
    },
  });
}
