import type { LoopbackAnswer, LoopbackHandler, SeenRequest } from './loopback-server.ts';

/** One pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
export const MP3 = Buffer.from('ID3\x04\0\0\0\0\0\0sound', 'latin1');

const failure = (status: number, message: string, type: string): LoopbackAnswer => ({
  status,
  headers: status === 429 ? { 'retry-after': '7' } : {},
  body: { error: { message, type, param: null, code: null } },
});

/**
 * The images and audio API of OpenAI under `/v1`, and FAL's: they check what they are sent as the documents say. Words
 * in the text bring faults: FORBIDDEN, BUSY, EMPTY, BROKEN.
 */
export function mediaService(key: string): LoopbackHandler {
  return (request) => {
    if (request.path === '/files/drawn.png') return { headers: { 'content-type': 'image/png' }, body: PNG };
    const scheme = request.path.startsWith('/v1/') ? 'Bearer' : 'Key';
    if (request.headers.authorization !== `${scheme} ${key}`)
      return failure(
        401,
        `Incorrect API key provided: ${request.headers.authorization}`,
        'invalid_request_error',
      );
    if (request.method !== 'POST')
      return failure(405, 'Not allowed to use that method', 'invalid_request_error');
    const fault = faultOf(request);
    if (fault) return fault;
    if (request.path === '/v1/images/generations') return images(request);
    if (request.path === '/v1/audio/speech') return speech(request);
    if (request.path === '/v1/audio/transcriptions') return transcription(request);
    if (request.path === '/fal-ai/flux/schnell') return falImages(request);
    return failure(404, `Unknown request URL: POST ${request.path}`, 'invalid_request_error');
  };
}

function faultOf({ body }: SeenRequest): LoopbackAnswer | undefined {
  const text = body.toString('latin1');
  if (text.includes('FORBIDDEN'))
    return failure(400, 'Your request was rejected by the safety system.', 'image_generation_user_error');
  if (text.includes('BUSY')) return failure(429, 'Rate limit reached', 'requests');
  if (text.includes('EMPTY')) return { headers: { 'content-type': 'application/json' }, body: '' };
  if (text.includes('BROKEN'))
    return { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>proxy</html>' };
  return undefined;
}

function images(request: SeenRequest): LoopbackAnswer {
  const sent = request.json() as { model?: string; prompt?: string; size?: string };
  if (!sent.model || !sent.prompt) return failure(400, 'Missing required parameter', 'invalid_request_error');
  if (!/^(?:1024x1024|1536x1024|1024x1536)$/.test(sent.size ?? ''))
    return failure(400, `Invalid value: '${sent.size}'`, 'invalid_request_error');
  return { body: { created: 1, data: [{ b64_json: PNG.toString('base64') }] } };
}

function falImages(request: SeenRequest): LoopbackAnswer {
  const sent = request.json() as { prompt?: string; image_size?: string };
  if (!sent.prompt || !sent.image_size) return { status: 422, body: { detail: 'field required' } };
  return {
    body: { images: [{ url: 'https://fal.media/files/drawn.png', content_type: 'image/png' }], seed: 1 },
  };
}

function speech(request: SeenRequest): LoopbackAnswer {
  const sent = request.json() as { model?: string; voice?: string; input?: string; response_format?: string };
  if (!sent.model || !sent.voice || !sent.input)
    return failure(400, 'Missing required parameter', 'invalid_request_error');
  return { headers: { 'content-type': 'audio/mpeg' }, body: MP3 };
}

async function transcriptionFields({ headers, body }: SeenRequest): Promise<FormData> {
  const type = String(headers['content-type']);
  return new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
}

async function transcription(request: SeenRequest): Promise<LoopbackAnswer> {
  const form = await transcriptionFields(request);
  const file = form.get('file');
  if (!form.get('model') || typeof file !== 'object' || file === null)
    return failure(400, 'Missing required parameter', 'invalid_request_error');
  if (!/\.(?:mp3|mp4|mpeg|mpga|m4a|wav|webm|ogg|flac)$/.test(file.name))
    return failure(400, `Unrecognized file format: ${file.name}`, 'invalid_request_error');
  const size = (await file.arrayBuffer()).byteLength;
  const language = form.get('language');
  return {
    body: {
      text: ` ${size} bytes of ${typeof language === 'string' ? language : 'some'} speech in ${file.name} `,
    },
  };
}
