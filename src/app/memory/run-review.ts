import { runTurn, toolSet } from '#engines/agent';
import type { RunReview } from '#engines/memory';
import { newId } from '#kit/new-id';
import type { Message } from '#spec/data';
import type { Model } from '#spec/ports';
import type { Dependencies } from '../dependencies.ts';
import type { Toolbox } from '../tools/open-toolbox.ts';

type Needs = Pick<Dependencies, 'answering' | 'models' | 'settings'>;

const MOST_OUTPUT = 2_000;

/** Has a model look back at a conversation, with the tools of memory and skills alone, and collects what it wrote. */
function reviewRunner(model: () => Promise<Model>, toolbox: Toolbox): RunReview {
  const { permit, present, clean, open, audience } = toolbox;
  return async ({ instructions, transcript, maxCalls, session }, tools, signal) => {
    const reviewing = await model();
    const set = toolSet(tools.filter(({ deferred }) => !deferred));
    const messages: Message[] = [{ role: 'user', content: [{ type: 'text', text: transcript }] }];
    const written: string[] = [];
    await runTurn(
      {
        permit,
        // Nobody is asked.
        scope: { session, turn: 0, run: newId('run'), ask: undefined, signal },
        present,
        clean,
        contextFor: (call) => ({
          ...open.powers,
          call: call.id,
          session,
          audience,
          signal,
          todos: { read: () => [], write: () => undefined },
          update: () => undefined,
        }),
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
export async function reviewWith(deps: Needs, toolbox: Toolbox): Promise<RunReview | undefined> {
  const { review_model: named } = deps.settings.memory;
  if (!(await deps.answering(named))) return undefined;
  return reviewRunner(async () => (await (await deps.models(named)).turn('')).model, toolbox);
}

const writes = (name: string): boolean => name === 'memory' || name === 'skill_manage';
