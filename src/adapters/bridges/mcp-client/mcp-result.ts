import type { CallToolResult, ContentBlock, ReadResourceResult } from '@modelcontextprotocol/client';
import { cutMiddle } from '#kit/cut-middle';
import { showHidden } from '#kit/hidden-characters';
import { ImagePart, type UserPart } from '#spec/data';
import type { ToolResult } from '#spec/ports';
import type { McpPermissions } from './mcp-server-config.ts';
import { cutRows, cutValue } from './permissions/limit-rows.ts';

const MOST_CHARS = 200_000;
const MOST_PARTS = 100;
const MOST_IMAGE_CHARS = 7_000_000;
const MOST_KEPT_BYTES = 50 * 1024 * 1024;

/** Keeps bytes beside the conversation and tells where. */
type Keep = (name: string, bytes: Uint8Array) => Promise<string>;

/** What an answer goes through: where its files are kept, and what takes secrets out of its text. */
interface ResultPowers {
  readonly keep: Keep;
  readonly clean: (text: string) => string;
}

type Limits = Pick<McpPermissions, 'maxRows' | 'maxFileBytes'>;

/** What a server answered, as parts that a model can be shown: bounded, with nothing hidden in it. */
export async function toolResultOf(
  result: CallToolResult,
  limits: Limits,
  powers: ResultPowers,
): Promise<ToolResult> {
  const { content, structuredContent, isError } = result;
  const blocks = content.slice(0, MOST_PARTS);
  const parts = await partsOf(blocks, limits, powers);
  if (structuredContent !== undefined && !parts.some(({ type }) => type === 'text')) {
    const { value } = limits.maxRows
      ? cutValue(structuredContent, limits.maxRows)
      : { value: structuredContent };
    parts.push(text(powers.clean(JSON.stringify(value, undefined, 1))));
  }
  if (content.length > MOST_PARTS) parts.push(text(`[${content.length - MOST_PARTS} more parts left out]`));
  return bounded(parts, isError ?? false);
}

export async function resourceResultOf(
  result: ReadResourceResult,
  limits: Limits,
  powers: ResultPowers,
): Promise<ToolResult> {
  const blocks = result.contents
    .slice(0, MOST_PARTS)
    .map((resource): ContentBlock => ({ type: 'resource', resource }));
  return bounded(await partsOf(blocks, limits, powers), false);
}

async function partsOf(
  blocks: readonly ContentBlock[],
  limits: Limits,
  powers: ResultPowers,
): Promise<UserPart[]> {
  const size = blocks.reduce((sum, block) => sum + sizeOf(block), 0);
  if (limits.maxFileBytes !== undefined && size > limits.maxFileBytes)
    return [text(`[The answer has ${size} bytes; max_file_size is ${limits.maxFileBytes}.]`)];
  const parts: UserPart[] = [];
  for (const block of blocks) parts.push(await partOf(block, limits, powers));
  return parts;
}

function sizeOf(block: ContentBlock): number {
  const encoded = (data: string) => Math.floor((data.length * 3) / 4);
  if (block.type === 'text') return Buffer.byteLength(block.text);
  if (block.type === 'image' || block.type === 'audio') return encoded(block.data);
  if (block.type !== 'resource') return 0;
  return 'text' in block.resource ? Buffer.byteLength(block.resource.text) : encoded(block.resource.blob);
}

async function partOf(
  block: ContentBlock,
  { maxRows }: Limits,
  { keep, clean }: ResultPowers,
): Promise<UserPart> {
  const rows = (written: string) => (maxRows === undefined ? written : cutRows(written, maxRows));
  switch (block.type) {
    case 'text':
      return text(clean(rows(block.text)));
    case 'image':
      return pictureOf(block.data, block.mimeType) ?? (await kept(block.data, block.mimeType, keep));
    case 'audio':
      return kept(block.data, block.mimeType, keep);
    case 'resource_link':
      return text(clean(`[resource ${block.uri}: ${block.title ?? block.name}]`));
    case 'resource': {
      const { uri, mimeType = '' } = block.resource;
      if ('text' in block.resource) return text(clean(`[${uri}]\n${rows(block.resource.text)}`));
      return pictureOf(block.resource.blob, mimeType) ?? (await kept(block.resource.blob, mimeType, keep));
    }
    default:
      return text('[a part of a kind that is not known here]');
  }
}

const text = (written: string): UserPart => ({ type: 'text', text: showHidden(written.toWellFormed()) });

function pictureOf(data: string, mediaType: string): UserPart | undefined {
  if (data.length > MOST_IMAGE_CHARS) return undefined;
  const image = ImagePart.safeParse({ type: 'image', mediaType, data });
  return image.success ? image.data : undefined;
}

async function kept(data: string, mediaType: string, keep: Keep): Promise<UserPart> {
  const bytes = Buffer.from(data, 'base64');
  const what = `${mediaType || 'binary'}, ${bytes.length} bytes`;
  if (bytes.length > MOST_KEPT_BYTES) return text(`[${what}: too big to keep]`);
  const [, ending = 'bin'] = /\/([a-z0-9]{1,8})/i.exec(mediaType) ?? [];
  return text(`[${what}, kept at ${await keep(`mcp-result.${ending}`, bytes)}]`);
}

function bounded(parts: readonly UserPart[], isError: boolean): ToolResult {
  const texts = parts.filter((part) => part.type === 'text');
  const share = Math.floor(MOST_CHARS / Math.max(1, texts.length));
  const content = parts.map((part) =>
    part.type === 'text' ? { ...part, text: cutMiddle(part.text, Math.max(200, share)) } : part,
  );
  const first = texts[0]?.text.trim().split('\n')[0] ?? '';
  return {
    content: content.length > 0 ? content : [text('[an empty answer]')],
    summary: first.slice(0, 160) || `${parts.length} parts`,
    isError,
  };
}
