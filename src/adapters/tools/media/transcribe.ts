import { z } from 'zod';
import { say } from '#kit/text';
import { dropHidden } from '#kit/hidden-characters';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { isWebAddress, loadBytes } from './fetch-bytes.ts';
import { noAudio, openAiService } from './open-ai-service.ts';
import { answer, count, refusal } from '../text/answer.ts';
import { asResult } from '../services/as-result.ts';
import { askJson } from '../services/ask-service.ts';
import { hostOf } from '../services/host-of.ts';

/** What the API takes. */
const MOST_BYTES = 25 * 1024 * 1024;
const TIMEOUT_MS = 300_000;
const Answer = z.object({ text: z.string() });

const input = z.strictObject({
  audio: z.string().min(1).max(4_000).describe('path or http(s) address'),
  language: z
    .string()
    .regex(/^[a-z]{2,3}$/)
    .optional()
    .describe('ISO 639, such as en or zh'),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'transcribe',
  toolset: 'media',
  description: 'Write down what is said in a sound or video file (up to 25 MB).',
  input,
  deferred: true,
  effect: () => 0,
  footprint: ({ audio }) => ({ reads: [audio] }),
  deed: ({ audio }) => ({
    sendsTo: ['speech service', ...(isWebAddress(audio) ? [hostOf(audio)] : [])],
    brings: ['untrusted'],
  }),
  missing: noAudio,
  run: (wanted, context) => asResult(() => listen(wanted, context)),
});

async function listen({ audio, language }: Input, context: ToolContext): Promise<ToolResult> {
  const service = openAiService(context, 'AUDIO');
  if (!service) return refusal(say(noAudio(context)?.fix ?? '', 'en'));
  const bytes = await loadBytes(audio, MOST_BYTES, context);
  const model = context.key('STT_MODEL') ?? 'whisper-1';
  const fields = { model, response_format: 'json', ...(language ? { language } : {}) };
  const body = await encodeForm(fields, { field: 'file', name: nameOf(audio), bytes });
  const said = await askJson(
    {
      name: 'The speech service',
      url: `${service.base}/audio/transcriptions`,
      headers: service.headers,
      body,
      secret: service.secret,
      keys: service.keys,
      timeoutMs: TIMEOUT_MS,
    },
    Answer,
    context,
  );
  const text = dropHidden(said.text).trim();
  if (!text) return answer('Nothing is said in it.', 'no words', { text: '', model });
  return answer(text, `${count(text.split(/\s+/).length, 'word')} written down`, { text, model });
}

/** The service tells the format by the end of the name. */
function nameOf(audio: string): string {
  const path = isWebAddress(audio) ? (URL.parse(audio)?.pathname ?? '') : audio;
  const name =
    path
      .split(/[/\\]/)
      .pop()
      ?.replace(/[^\w.-]/g, '_') ?? '';
  return /\.\w{2,4}$/.test(name) ? name.slice(-80) : 'audio.mp3';
}

/** A form with one file, as bytes and with the type that tells its boundary. */
async function encodeForm(
  fields: Readonly<Record<string, string>>,
  file: { readonly field: string; readonly name: string; readonly bytes: Uint8Array },
): Promise<{ bytes: Uint8Array; type: string }> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append(file.field, new Blob([new Uint8Array(file.bytes)]), file.name);
  const encoded = new Response(form);
  return {
    bytes: new Uint8Array(await encoded.arrayBuffer()),
    type: encoded.headers.get('content-type') ?? '',
  };
}
