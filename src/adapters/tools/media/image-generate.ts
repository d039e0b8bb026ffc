import { z } from 'zod';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { IMAGE_MAKERS, SHAPES } from './image-maker.ts';
import { answer, refusal } from '../text/answer.ts';
import { imageType, sizeText } from '../text/file-kind.ts';
import { asResult } from '../services/as-result.ts';

const input = z.strictObject({
  prompt: z.string().trim().min(1).max(4_000),
  shape: z.enum(SHAPES).default('square'),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'image_generate',
  toolset: 'media',
  description: 'Draw an image from a description. Gives the path of the file.',
  input,
  deferred: true,
  effect: () => 1,
  footprint: () => ({}),
  deed: () => ({ sendsTo: ['image service'], brings: ['untrusted'] }),
  missing: (place) =>
    IMAGE_MAKERS.some((maker) => maker.configured(place))
      ? undefined
      : { what: 'There is no service that draws.', fix: 'Set OPENAI_API_KEY, IMAGE_BASE_URL or FAL_KEY.' },
  run: (wanted, context) => asResult(() => draw(wanted, context)),
});

async function draw({ prompt, shape }: Input, context: ToolContext): Promise<ToolResult> {
  const maker = IMAGE_MAKERS.find((one) => one.configured(context));
  if (!maker)
    return refusal('There is no service that draws. Set OPENAI_API_KEY, IMAGE_BASE_URL or FAL_KEY.');
  const made = await maker.make(prompt, shape, context);
  const mediaType = imageType(made.bytes);
  if (!mediaType) return refusal(`${made.maker} sent something that is no image.`);
  const path = await context.keep(`image.${mediaType.slice('image/'.length)}`, made.bytes);
  const size = sizeText(made.bytes.length);
  const data = { path, mediaType, bytes: made.bytes.length, maker: made.maker, model: made.model };
  return answer(
    `${path} (${mediaType}, ${size}, drawn by ${made.model})`,
    `image of ${size} by ${made.model}`,
    data,
  );
}
