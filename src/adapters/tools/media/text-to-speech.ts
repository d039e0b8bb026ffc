import { say } from '#kit/text';
import { z } from 'zod';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { noAudio, openAiService } from './open-ai-service.ts';
import { answer, refusal } from '../text/answer.ts';
import { sizeText } from '../text/file-kind.ts';
import { asResult } from '../services/as-result.ts';
import { askService } from '../services/ask-service.ts';

const MOST_BYTES = 25 * 1024 * 1024;
const TIMEOUT_MS = 120_000;
const FORMATS = ['mp3', 'opus', 'wav', 'flac'] as const;

const input = z.strictObject({
  text: z.string().trim().min(1).max(4_096),
  voice: z
    .string()
    .regex(/^[\w-]{1,40}$/)
    .default('alloy'),
  format: z.enum(FORMATS).default('mp3'),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'text_to_speech',
  toolset: 'media',
  description: 'Speak a text. Gives the path of the sound file.',
  input,
  deferred: true,
  effect: () => 1,
  footprint: () => ({}),
  deed: () => ({ sendsTo: ['speech service'] }),
  missing: noAudio,
  run: (wanted, context) => asResult(() => speak(wanted, context)),
});

async function speak({ text, voice, format }: Input, context: ToolContext): Promise<ToolResult> {
  const service = openAiService(context, 'AUDIO');
  if (!service) return refusal(say(noAudio(context)?.fix ?? '', 'en'));
  const model = context.key('TTS_MODEL') ?? 'gpt-4o-mini-tts';
  const { body, cut, headers } = await askService(
    {
      name: 'The speech service',
      url: `${service.base}/audio/speech`,
      headers: { ...service.headers, accept: '*/*' },
      json: { model, voice, input: text, response_format: format },
      secret: service.secret,
      keys: service.keys,
      maxBytes: MOST_BYTES,
      timeoutMs: TIMEOUT_MS,
    },
    context,
  );
  if (body.length === 0 || /json|html/i.test(headers['content-type'] ?? ''))
    return refusal('The speech service sent no sound.');
  if (cut) return refusal(`The speech service sent more than ${sizeText(MOST_BYTES)}.`);
  const path = await context.keep(`speech.${format}`, body);
  const size = sizeText(body.length);
  return answer(`${path} (${format}, ${size})`, `spoken, ${size}`, {
    path,
    format,
    bytes: body.length,
    model,
    voice,
  });
}
