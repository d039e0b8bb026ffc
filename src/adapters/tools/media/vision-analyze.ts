import { z } from 'zod';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { isWebAddress, loadBytes } from './fetch-bytes.ts';
import { answer, refusal } from '../text/answer.ts';
import { binaryKind, imageType, sizeText } from '../text/file-kind.ts';
import { asResult } from '../services/as-result.ts';
import { hostOf } from '../services/host-of.ts';

const MOST_BYTES = 5 * 1024 * 1024;
const MOST_OUTPUT = 2_000;

const input = z.strictObject({
  image: z.string().min(1).max(4_000).describe('path or http(s) address'),
  question: z.string().min(1).max(4_000).default('Describe this image. Read out all text and numbers in it.'),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'vision_analyze',
  toolset: 'media',
  description:
    'Look at an image (a file or a web address) and answer a question about it: a graph, a screenshot, a photo.',
  input,
  deferred: true,
  effect: () => 0,
  footprint: ({ image }) => ({ reads: [image] }),
  deed: ({ image }) => ({
    brings: ['untrusted'],
    ...(isWebAddress(image) ? { sendsTo: [hostOf(image)] } : {}),
  }),
  missing: ({ sees }) =>
    sees
      ? undefined
      : {
          what: 'No model here can look at pictures.',
          fix: 'Choose a model that takes images: hermes model.',
        },
  run: (wanted, context) => asResult(() => look(wanted, context)),
});

async function look({ image, question }: Input, context: ToolContext): Promise<ToolResult> {
  const bytes = await loadBytes(image, MOST_BYTES, context);
  const mediaType = imageType(bytes);
  if (!mediaType) return refusal(`${image} is no image that a model can look at: ${binaryKind(bytes)}.`);
  const said = await context.askModel(
    [
      { type: 'text', text: question },
      { type: 'image', mediaType, data: Buffer.from(bytes).toString('base64') },
    ],
    { maxOutput: MOST_OUTPUT, signal: context.signal },
  );
  if (!said?.trim()) return refusal('The model gave no answer about the image.');
  const size = sizeText(bytes.length);
  return answer(said.trim(), `looked at ${mediaType}, ${size}`, { image, mediaType, bytes: bytes.length });
}
