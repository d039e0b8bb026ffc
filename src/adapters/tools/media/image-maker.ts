import { z } from 'zod';
import { fail } from '#kit/app-error';
import type { ToolContext, ToolPlace } from '#spec/ports';
import { askJson } from '../services/ask-service.ts';
import { fetchBytes } from './fetch-bytes.ts';
import { openAiService } from './open-ai-service.ts';

export const SHAPES = ['square', 'landscape', 'portrait'] as const;
type Shape = (typeof SHAPES)[number];

interface MadeImage {
  readonly bytes: Uint8Array;
  readonly maker: string;
  readonly model: string;
}

/** A service that draws. */
interface ImageMaker {
  configured(place: ToolPlace): boolean;
  make(prompt: string, shape: Shape, context: ToolContext): Promise<MadeImage>;
}

const MOST_BYTES = 40 * 1024 * 1024;
const TIMEOUT_MS = 180_000;

const OPENAI_SIZES = { square: '1024x1024', landscape: '1536x1024', portrait: '1024x1536' } as const;
const OpenAiImages = z.object({
  data: z.array(z.object({ b64_json: z.string().optional(), url: z.string().optional() })).min(1),
});

/** The images API of OpenAI and of what speaks like it. */
const openAi: ImageMaker = {
  configured: (place) => openAiService(place, 'IMAGE') !== undefined,
  async make(prompt, shape, context) {
    const { base = '', headers = {}, secret, keys = '' } = openAiService(context, 'IMAGE') ?? {};
    const model = context.key('IMAGE_MODEL') ?? 'gpt-image-1';
    const answer = await askJson(
      {
        name: 'The image service',
        url: `${base}/images/generations`,
        headers,
        json: { model, prompt, size: OPENAI_SIZES[shape], n: 1 },
        secret,
        keys,
        maxBytes: MOST_BYTES,
        timeoutMs: TIMEOUT_MS,
      },
      OpenAiImages,
      context,
    );
    return { bytes: await bytesOf(answer.data[0], context), maker: new URL(base).host, model };
  },
};

const FAL_SIZES = { square: 'square_hd', landscape: 'landscape_16_9', portrait: 'portrait_16_9' } as const;
const FalImages = z.object({ images: z.array(z.object({ url: z.string() })).min(1) });

/** FAL, which draws with the open models. */
const fal: ImageMaker = {
  configured: (place) => place.key('FAL_KEY') !== undefined,
  async make(prompt, shape, context) {
    const secret = context.key('FAL_KEY');
    const model = context.key('FAL_IMAGE_MODEL') ?? 'fal-ai/flux/schnell';
    const answer = await askJson(
      {
        name: 'FAL',
        url: `https://fal.run/${model}`,
        headers: { authorization: `Key ${secret}` },
        json: { prompt, image_size: FAL_SIZES[shape], num_images: 1 },
        secret,
        keys: 'FAL_KEY',
        maxBytes: MOST_BYTES,
        timeoutMs: TIMEOUT_MS,
      },
      FalImages,
      context,
    );
    return { bytes: await bytesOf(answer.images[0], context), maker: 'fal.run', model };
  },
};

/** In the order of preference. */
export const IMAGE_MAKERS: readonly ImageMaker[] = [openAi, fal];

async function bytesOf(
  image: { readonly b64_json?: string | undefined; readonly url?: string | undefined } | undefined,
  context: ToolContext,
): Promise<Uint8Array> {
  if (image?.b64_json) return Buffer.from(image.b64_json, 'base64');
  const inline = /^data:[^,]*;base64,(.*)$/s.exec(image?.url ?? '')?.[1];
  if (inline) return Buffer.from(inline, 'base64');
  if (image?.url) return fetchBytes(image.url, MOST_BYTES, context);
  throw fail('tool.failed', 'The image service answered without an image.');
}
