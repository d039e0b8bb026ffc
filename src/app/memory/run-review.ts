import { type CallDeps, runTurn, toolSet } from '#engines/agent';
import type { RunReview } from '#engines/memory';
import type { Message } from '#spec/data';
import type { Model } from '#spec/ports';
import type { Dependencies } from '../dependencies.ts';
import type { Toolbox } from '../tools/open-toolbox.ts';

const MOST_OUTPUT = 2_000;

/** Has a model look back at a conversation, with the tools of memory and skills alone, and collects what it wrote. */
function reviewRunner(
  model: () => Promise<Model>,
  deps: Pick<CallDeps, 'permit' | 'contextFor' | 'present' | 'clean'>,
): RunReview {
  return async ({ instructions, transcript, maxCalls }, tools, signal) => {
    const reviewing = await model();
    const set = toolSet(tools.filter(({ deferred }) => !deferred));
    const messages: Message[] = [{ role: 'user', content: [{ type: 'text', text: transcript }] }];
    const written: string[] = [];
    await runTurn(
      {
        ...deps,
        model: reviewing,
        prefix: { system: [{ text: instructions }], tools: set.specs },
        tools: set,
        settings: { maxOutput: Math.min(MOST_OUTPUT, reviewing.info.maxOutput) },
        maxCalls,
        history: () => messages,
        record: async (added, facts) => {
          for (const { message } of added) messages.push(message);
          for (const fact of facts) {
            if (fact.type !== 'tool.ended' || fact.data.isError) continue;
            if (tools.some((tool) => tool.name === fact.data.name && writes(tool.name)))
              written.push(fact.data.summary);
          }
        },
        draft: () => undefined,
        show: () => undefined,
        makeRoom: async () => false,
        takeSteering: () => [],
      },
      signal,
    );
    return { written };
  };
}

/** How reviews are run beside a conversation: by a cheaper model if one is named, through the same gate, asking nobody. */
export async function reviewWith(
  deps: Dependencies,
  toolbox: Toolbox,
  session: () => string,
): Promise<RunReview | undefined> {
  const { review_model: named } = deps.settings.memory;
  if (!(await deps.answering(named))) return undefined;
  const never = new AbortController().signal;
  return reviewRunner(async () => (await (await deps.models(named)).turn('')).model, {
    present: toolbox.present,
    clean: toolbox.clean,
    permit: (tool, input, call) =>
      toolbox.permit(tool, input, call, {
        session: session(),
        turn: 0,
        run: call.id,
        ask: undefined,
        signal: never,
      }),
    contextFor: (call) => ({
      ...toolbox.open.powers,
      call: call.id,
      session: session(),
      audience: toolbox.audience,
      signal: never,
      todos: { read: () => [], write: () => undefined },
      update: () => undefined,
    }),
  });
}

const writes = (name: string): boolean => name === 'memory' || name === 'skill_manage';
