import type { ToolSet } from '#engines/agent';
import { assemblePrompt, PLATFORM_HINTS, SMALL_WINDOW } from '#engines/session';
import type { FrozenPrefix, ModelInfo } from '#spec/data';
import type { ConversationMind } from './conversation-mind.ts';
import type { Dependencies } from '../dependencies.ts';

/** What a small window can do without. */
const ROOMY: ReadonlySet<string> = new Set([
  'execute_code',
  'memory_search',
  'process',
  'session_search',
  'skill_manage',
  'skill_run',
  'skill_view',
  'skills_list',
]);

interface PrefixPlace {
  readonly cwd: string;
  readonly platform: string;
  readonly mind: Pick<ConversationMind, 'prompt'>;
  readonly info: ModelInfo;
  readonly tools: ToolSet;
  /** What is to be told beside what making the prompt brings up. */
  readonly notices: readonly string[];
}

/** What is sent before the messages of a session, from files, memory, skills and tools as they are now. */
export async function freezePrefix(
  { promptInputs }: Pick<Dependencies, 'promptInputs'>,
  { cwd, platform, mind, info, tools, notices }: PrefixPlace,
): Promise<{ prefix: FrozenPrefix; notices: readonly string[] }> {
  // The built-in operator reads no prompt: it needs the tools, and no room.
  const small = info.contextWindow < SMALL_WINDOW && info.protocol !== 'local';
  const known = await mind.prompt({ small });
  const prompt = assemblePrompt({
    ...(await promptInputs(cwd)),
    ...known,
    platform: PLATFORM_HINTS[platform] ?? '',
    toolNames: tools.names,
    contextWindow: info.contextWindow,
  });
  const shown = small ? tools.specs.filter(({ name }) => !ROOMY.has(name)) : tools.specs;
  return {
    prefix: { system: prompt.blocks, tools: shown },
    notices: [...prompt.notices, ...known.notices, ...notices],
  };
}
