import { createHash } from 'node:crypto';
import type { CacheTtl, NormalCall, NormalMessage, NormalRequest, Piece } from './wire-protocol.ts';

type Role = 'user' | 'assistant';
type Building = { -readonly [K in keyof NormalMessage]: NormalMessage[K] };

/** About four characters a token: the same for every protocol, and easy to reckon in a test. */
export const countTokens = (text: string): number => Math.ceil(text.length / 4);

/** An image enters the prompt as its digest, so that its size says nothing about its tokens. */
const imageText = (data: string) => `image:${createHash('sha256').update(data).digest('hex').slice(0, 16)}`;

/** Collects a request's parts into messages (for matching) and pieces (for caching and counting). */
export function newTranscript() {
  const systemTexts: string[] = [];
  const tools: string[] = [];
  const messages: Building[] = [];
  const pieces: Piece[] = [];
  const names = new Map<string, string>();
  let role: Role = 'user';
  let fresh = true;

  const addPiece = (kind: string, content: string, cache?: CacheTtl) => {
    pieces.push({ key: `${kind}\n${content}`, tokens: countTokens(content), ...(cache ? { cache } : {}) });
  };
  const push = (message: Building) => {
    messages.push(message);
    return message;
  };
  const current = () => {
    const last = messages.at(-1);
    if (last && !fresh && last.role === role) return last;
    fresh = false;
    return push({ role, text: '', calls: [], images: 0 });
  };

  return {
    tool(name: string, spec: unknown, cache?: CacheTtl) {
      tools.push(name);
      addPiece('tool', JSON.stringify(spec), cache);
    },
    system(text: string, cache?: CacheTtl) {
      systemTexts.push(text);
      addPiece('system', text, cache);
    },
    /** Begins a message. */
    open(next: Role) {
      role = next;
      fresh = true;
    },
    /** Goes on with the message before if it has the same role. */
    proceed(next: Role) {
      role = next;
    },
    text(text: string, cache?: CacheTtl) {
      const message = current();
      message.text += message.text && text ? `\n${text}` : text;
      addPiece(role, text, cache);
    },
    image(data: string, cache?: CacheTtl) {
      current().images += 1;
      addPiece(role, imageText(data), cache);
    },
    call(call: NormalCall, cache?: CacheTtl) {
      const message = current();
      message.calls = [...message.calls, call];
      names.set(call.id, call.name);
      addPiece('call', `${call.id} ${call.name} ${call.arguments}`, cache);
    },
    /** Something that is part of the prompt but no text of the message, such as thinking sent back. */
    hidden(content: string, cache?: CacheTtl) {
      current();
      addPiece('hidden', content, cache);
    },
    result(result: { id: string; text: string; images: readonly string[] }, cache?: CacheTtl) {
      const { id, text } = result;
      const toolName = names.get(id);
      const message = push({ role: 'tool', text, calls: [], images: result.images.length, callId: id });
      if (toolName !== undefined) message.toolName = toolName;
      addPiece('result', [id, text, ...result.images.map(imageText)].join('\n'), cache);
    },
    /** Marks the end of the last piece as a place to cache up to. */
    mark(cache: CacheTtl) {
      const last = pieces.at(-1);
      if (last) last.cache = cache;
    },
    done(): Pick<NormalRequest, 'system' | 'tools' | 'messages' | 'pieces'> {
      return { system: systemTexts.join('\n\n'), tools, messages, pieces };
    },
  };
}

export type Transcript = ReturnType<typeof newTranscript>;
