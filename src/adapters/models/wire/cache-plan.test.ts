import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '#spec/data';
import { planCache } from '#kit/cache-plan';
import { answered, asked, called, found, modelInfo, said, TOOL } from '#testkit/sample-messages';

const hello = answered(modelInfo(), { type: 'text', text: 'Hello' });
const calls = answered(modelInfo(), called('c1'), called('c2'));
const NONE = { tools: false, system: new Set(), messages: new Set() };

describe('planCache', () => {
  it('has no breakpoint where caching is off or not asked for', () => {
    expect(planCache(asked({ tools: [TOOL], cacheTtl: 'off' }))).toEqual(NONE);
    expect(planCache(asked({ tools: [TOOL] }))).toEqual(NONE);
  });

  it('marks the tools when the system prompt is one block', () => {
    const plan = planCache(asked({ tools: [TOOL], cacheTtl: '5m' }));
    expect(plan).toEqual({ tools: true, system: new Set([0]), messages: new Set([0]) });
  });

  it('marks the first and the last block when there are several, and then not the tools', () => {
    const system = [{ text: 'stable' }, { text: 'session' }, { text: 'last' }];
    const plan = planCache(asked({ system, tools: [TOOL], cacheTtl: '1h' }));
    expect(plan).toEqual({ tools: false, system: new Set([0, 2]), messages: new Set([0]) });
  });

  it('marks the newest input and the one before it', () => {
    const messages = [said('a'), hello, said('b'), calls, found('c1'), found('c2')];
    expect(planCache(asked({ messages, cacheTtl: '5m' })).messages).toEqual(new Set([2, 5]));
  });

  it('takes a run of results, and what is said right after it, for one input', () => {
    const messages = [said('a'), calls, found('c1'), found('c2'), said('and b?')];
    expect(planCache(asked({ messages, cacheTtl: '5m' })).messages).toEqual(new Set([0, 4]));
  });

  it('reads in each request what the one before it wrote, and never marks more than four', () => {
    const message = fc.constantFrom<Message>(said('a'), hello, calls, found('c1'));
    const blocks = fc
      .nat(4)
      .map((count) => Array.from({ length: count }, (_, i) => ({ text: `block ${i}` })));
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 12 }),
        blocks,
        fc.boolean(),
        (earlier, system, withTools) => {
          const tools = withTools ? [TOOL] : [];
          const before = asked({ messages: [...earlier, said('now')], system, tools, cacheTtl: '5m' });
          const after = { ...before, messages: [...before.messages, calls, found('c1'), found('c2')] };
          const [first, second] = [planCache(before), planCache(after)];
          for (const plan of [first, second]) {
            expect(Number(plan.tools) + plan.system.size + plan.messages.size).toBeLessThanOrEqual(4);
          }
          expect(second.messages).toContain(before.messages.length - 1);
          expect(first.messages).toContain(before.messages.length - 1);
        },
      ),
    );
  });
});
