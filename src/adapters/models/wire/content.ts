import { isRecord } from '#kit/is-record';
import type { AssistantMessage, ImagePart, ModelInfo, Replay, UserPart } from '#spec/data';

/** The texts of a message, joined. */
export function textOf(parts: readonly UserPart[]): string {
  return parts
    .filter((part) => part.type === 'text')
    .map((part) => part.text)
    .join('\n');
}

export const dataUrl = (image: ImagePart): string => `data:${image.mediaType};base64,${image.data}`;

/** Whether a call's arguments have arrived whole. */
export function isJsonObject(text: string): boolean {
  try {
    return isRecord(JSON.parse(text));
  } catch {
    return false;
  }
}

/** A call's arguments as an object; a text that is none (the model garbled it) becomes empty. */
export function argumentsObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text || '{}');
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** A call's arguments as JSON text, unchanged when they are a JSON object. */
export function argumentsText(text: string): string {
  return Object.keys(argumentsObject(text)).length > 0 ? text : '{}';
}

/** A tool's name as every vendor accepts it back; a model may have written anything. */
export const callName = (name: string): string => name.replaceAll(/[^\w-]/g, '_').slice(0, 64) || '_';

/** What a part wants replayed, if the message goes back to the endpoint that wrote it. */
export function replayFor(
  info: ModelInfo,
  message: AssistantMessage,
  part: { replay?: Replay | undefined },
): Replay | undefined {
  const { provider, model, protocol } = message.origin;
  const home = provider === info.provider && model === info.model && protocol === info.protocol;
  return home ? part.replay : undefined;
}

/** Reads a path of a decoded frame without trusting its shape. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let here = value;
  for (const key of path) {
    if (Array.isArray(here)) here = here[key as number];
    else if (isRecord(here)) here = here[key];
    else return undefined;
  }
  return here;
}

export const textAt = (value: unknown, ...path: readonly (string | number)[]): string => {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
};

export const countAt = (value: unknown, ...path: readonly (string | number)[]): number | undefined => {
  const found = at(value, ...path);
  return typeof found === 'number' && found >= 0 ? Math.round(found) : undefined;
};
