import { estimateTokens } from '#kit/estimate-tokens';
import type { SystemBlock } from '#spec/data';
import { contextFile } from './context-file.ts';
import { GUIDANCE, IDENTITY, SHORT_IDENTITY } from './guidance.ts';

/** The seed's twelve, in the seed's order. */
export const SEGMENTS = [
  'soul',
  'identity',
  'platform',
  'memory_guidance',
  'memory',
  'user',
  'separator',
  'session_search_guidance',
  'skills',
  'agents',
  'hermes',
  'tool_use',
] as const;
type Segment = (typeof SEGMENTS)[number];

/** What the prompt is made from, read once at the start of a session. */
export interface PromptInputs {
  readonly soul?: string;
  readonly platform: string;
  readonly memory?: string;
  readonly user?: string;
  /** The index of skills, already bounded. */
  readonly skills?: string;
  /** Project files by name: AGENTS.md or one of its kind, and .hermes.md. */
  readonly agents?: { readonly name: string; readonly text: string };
  readonly hermes?: { readonly name: string; readonly text: string };
  readonly toolNames: readonly string[];
  readonly contextWindow: number;
}

export interface AssembledPrompt {
  readonly blocks: readonly SystemBlock[];
  readonly segments: readonly { readonly name: Segment; readonly tokens: number }[];
  readonly notices: readonly string[];
}

/** Below this a model gets short texts: the room belongs to the conversation. */
export const SMALL_WINDOW = 16_384;
const MOST_CONTEXT_CHARS = 20_000;

/** Segments that are the same in every session of a profile; the first cache breakpoint stands after them. */
const LASTING: ReadonlySet<Segment> = new Set<Segment>(['soul', 'identity', 'platform', 'memory_guidance']);

/** Puts the system prompt together, once. The same inputs give the same bytes. */
export function assemblePrompt(inputs: PromptInputs): AssembledPrompt {
  const notices: string[] = [];
  const texts = segmentTexts(inputs, notices);
  const present = SEGMENTS.flatMap((name) => (texts[name] ? [{ name, text: texts[name] }] : []));
  const block = (lasting: boolean): SystemBlock[] => {
    const parts = present.filter(({ name }) => LASTING.has(name) === lasting);
    if (!parts.length) return [];
    const segments = parts.map(({ name, text }) => ({ name, chars: text.length }));
    return [{ text: parts.map(({ text }) => text).join('\n\n'), segments }];
  };
  return {
    blocks: [...block(true), ...block(false)],
    segments: present.map(({ name, text }) => ({ name, tokens: estimateTokens(text) })),
    notices,
  };
}

function segmentTexts(inputs: PromptInputs, notices: string[]): Record<Segment, string> {
  const { toolNames, contextWindow } = inputs;
  const small = contextWindow < SMALL_WINDOW;
  const mostChars = Math.min(MOST_CONTEXT_CHARS, Math.floor(contextWindow * 0.4));
  const has = (tool: string) => toolNames.includes(tool);
  const file = (given: { name: string; text: string } | undefined): string => {
    if (!given?.text.trim()) return '';
    const { text, notice } = contextFile(given.name, given.text, mostChars);
    if (notice) notices.push(notice);
    return `# ${given.name}\n${text}`;
  };
  const remembered = Boolean(inputs.memory || inputs.user);
  return {
    soul: inputs.soul?.trim() ?? '',
    identity: small ? SHORT_IDENTITY : IDENTITY,
    platform: inputs.platform,
    memory_guidance: has('memory') ? GUIDANCE.memory : '',
    memory: inputs.memory?.trim() ?? '',
    user: inputs.user?.trim() ?? '',
    separator: remembered ? '§' : '',
    session_search_guidance: has('session_search') && !small ? GUIDANCE.sessionSearch : '',
    skills: inputs.skills ?? '',
    agents: file(inputs.agents),
    hermes: file(inputs.hermes),
    tool_use: toolNames.length ? (small ? GUIDANCE.toolUseShort : GUIDANCE.toolUse) : '',
  };
}
