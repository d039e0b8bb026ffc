import type { AgentEvent, Approval, Session, Usage } from '#spec/data';

/** What the API tells of conversations beyond the records of `#spec/data`. */

export interface FoundPassage {
  readonly session: string;
  readonly title: string;
  readonly message: string;
  readonly turn: number;
  readonly at: number;
  readonly role: 'user' | 'assistant' | 'tool';
  readonly pieces: readonly { readonly text: string; readonly hit: boolean }[];
}

interface PromptSegment {
  readonly name: string;
  readonly text: string;
  readonly tokens: number;
}

export interface PromptTool {
  readonly name: string;
  readonly description: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly tokens: number;
}

export interface ShownPrompt {
  readonly tools: { readonly list: readonly PromptTool[]; readonly breakpoint: boolean };
  readonly blocks: readonly { readonly segments: readonly PromptSegment[]; readonly breakpoint: boolean }[];
  readonly tokens: number;
}

export interface ConversationView {
  readonly session: Session;
  readonly prompt: ShownPrompt;
}

/** `more`: so many characters were left out. */
export type ShownPart =
  | { readonly type: 'text' | 'thinking'; readonly text: string; readonly more?: number }
  | { readonly type: 'memory'; readonly text: string; readonly tokens: number; readonly more?: number }
  | {
      readonly type: 'tool_call';
      readonly id: string;
      readonly name: string;
      readonly text: string;
      readonly more?: number;
    }
  | { readonly type: 'image'; readonly mediaType: string; readonly bytes: number };

export interface ShownMessage {
  readonly id: string;
  readonly seq: number;
  readonly turn: number;
  readonly at: number;
  readonly state: 'active' | 'archived' | 'undone';
  readonly kind: 'plain' | 'digest' | 'notice';
  readonly role: 'user' | 'assistant' | 'tool';
  readonly parts: readonly ShownPart[];
  readonly tokens: number;
  readonly usage?: Usage;
  readonly cost?: number;
  readonly model?: string;
  readonly call?: string;
  readonly name?: string;
  readonly isError?: boolean;
}

export interface SessionApproval
  extends Pick<
    Approval,
    'id' | 'state' | 'reasons' | 'createdAt' | 'expiresAt' | 'decidedAt' | 'decidedBy' | 'usedAt' | 'scope'
  > {
  readonly tool: string;
  readonly level: number;
  readonly shown: string;
}

export type Facts = readonly AgentEvent[];
