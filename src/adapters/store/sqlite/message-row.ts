import { createHash } from 'node:crypto';
import type { ImagePart, Message, StoredMessage, UserPart } from '#spec/data';

export interface MessageRow {
  readonly n: number;
  readonly id: string;
  readonly session_id: string;
  readonly seq: number;
  readonly position: number;
  readonly turn: number;
  readonly at: number;
  readonly state: StoredMessage['state'];
  readonly kind: StoredMessage['kind'];
  readonly cost: number | null;
  readonly usage: string | null;
  readonly role: Message['role'];
  /** What a message has beside its role and content, as JSON. */
  readonly meta: string | null;
  readonly content: string;
}

/** Columns of a `MessageRow` out of `messages` as `m` and `sessions` as `s`. */
export const MESSAGE_COLUMNS =
  'm.n, m.id, s.id AS session_id, m.seq, m.position, m.turn, m.at, m.role, m.state, m.kind, m.cost, m.usage, m.meta, m.content';

interface Blob {
  readonly hash: string;
  readonly data: Buffer;
}

/** Smaller images stay in the row. */
const LARGE_IMAGE_CHARS = 1_000;

export interface PackedMessage {
  readonly meta: string | null;
  readonly content: string;
  readonly blobs: readonly Blob[];
}

/** The JSON of a message, with its large images taken out and named by their hash. */
export function packMessage(message: Message): PackedMessage {
  const { role, content, ...rest } = message;
  const meta = Object.keys(rest).length > 0 ? JSON.stringify(rest) : null;
  if (role === 'assistant' || !message.content.some(isLarge))
    return { meta, content: JSON.stringify(content), blobs: [] };
  const blobs: Blob[] = [];
  const packed = message.content.map((part) => {
    const blob = isLarge(part) ? toBlob(part) : undefined;
    if (!blob) return part;
    blobs.push(blob);
    return { ...part, data: '', blob: blob.hash };
  });
  return { meta, content: JSON.stringify(packed), blobs };
}

const isLarge = (part: UserPart): part is ImagePart =>
  part.type === 'image' && part.data.length > LARGE_IMAGE_CHARS;

/** Undefined for base64 that would come back spelt otherwise: such an image stays as it is. */
function toBlob(part: ImagePart): Blob | undefined {
  const data = Buffer.from(part.data, 'base64');
  if (data.toString('base64') !== part.data) return undefined;
  return { hash: createHash('sha256').update(data).digest('hex'), data };
}

type PackedPart = UserPart & { readonly blob?: string };

/** The message of a row as it was packed: its large images are still missing. */
export function parseMessage({
  role,
  meta,
  content,
}: Pick<MessageRow, 'role' | 'meta' | 'content'>): Message {
  const rest = meta === null ? {} : (JSON.parse(meta) as object);
  return { role, content: JSON.parse(content) as unknown, ...rest } as Message;
}

/** `blob` gives the bytes of an image, or undefined when they were lost. */
export function unpackMessage(row: MessageRow, blob: (hash: string) => Buffer | undefined): StoredMessage {
  const { id, session_id: session, seq, position, turn, at, state, kind } = row;
  let message = parseMessage(row);
  if (message.role !== 'assistant' && message.content.some((part: PackedPart) => part.blob)) {
    const content = message.content.map(({ blob: hash, ...part }: PackedPart): UserPart => {
      if (!hash || part.type !== 'image') return part;
      return { ...part, data: blob(hash)?.toString('base64') ?? '' };
    });
    message = { ...message, content };
  }
  const stored = { id, session, seq, position, turn, at, state, kind, message };
  return {
    ...stored,
    ...(row.usage === null ? {} : { usage: JSON.parse(row.usage) as NonNullable<StoredMessage['usage']> }),
    ...(row.cost === null ? {} : { cost: row.cost }),
  };
}
