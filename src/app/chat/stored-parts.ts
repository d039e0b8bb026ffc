import { fail } from '#kit/app-error';
import { type KnownSecrets, redact } from '#kit/redact';
import type { ImagePart } from '#spec/data';
import type { Transcript } from '#spec/ports';
import type { CallDetail, ChatImage } from './chat.ts';
import { picturesOf, spoken } from './past-items.ts';

/** What a call was given and what came of it. */
export async function storedCall(
  transcript: Transcript,
  session: string,
  call: string,
  secrets: KnownSecrets,
): Promise<CallDetail> {
  const messages = await transcript.read(session, ['active', 'archived']);
  const asked = messages
    .flatMap(({ message }) => (message.role === 'assistant' ? message.content : []))
    .find((part) => part.type === 'tool_call' && part.id === call);
  if (asked?.type !== 'tool_call') throw fail('input.not_found', 'There is no such call here.');
  // The first is the whole one: compaction may have put a line in its place.
  const answered = messages
    .toSorted((one, other) => one.seq - other.seq)
    .find(({ message }) => message.role === 'tool' && message.callId === call);
  const detail = { name: asked.name, arguments: redact(asked.arguments, secrets) };
  if (answered?.message.role !== 'tool') return detail;
  const { content, isError } = answered.message;
  const images = picturesOf(answered.id, content);
  return { ...detail, result: { text: redact(spoken(content), secrets), isError, images } };
}

export async function storedImage(
  transcript: Transcript,
  session: string,
  { message, part }: ChatImage,
): Promise<ImagePart> {
  const messages = await transcript.read(session, ['active', 'archived']);
  const found = messages.find(({ id }) => id === message)?.message;
  const image = found?.content[part];
  if (image?.type !== 'image') throw fail('input.not_found', 'There is no such picture here.');
  return image;
}
