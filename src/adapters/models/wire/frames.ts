import { createParser } from 'eventsource-parser';
import type { Frame, Protocol } from '#spec/ports';
import { BadFrameError, MOST_FRAME_BYTES, parseFrameJson } from './bad-frame.ts';

type Frames = (chunks: AsyncIterable<Uint8Array>) => AsyncGenerator<Frame>;

export const framings: Readonly<Record<Protocol['framing'], { contentType: string; frames: Frames }>> = {
  sse: { contentType: 'text/event-stream', frames: sseFrames },
  aws_event_stream: { contentType: 'application/vnd.amazon.eventstream', frames: lazyAwsFrames },
};

async function* sseFrames(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  const ready: Frame[] = [];
  const parser = createParser({
    maxBufferSize: MOST_FRAME_BYTES,
    onEvent: ({ event, data }) => ready.push(sseFrame(event ?? '', data)),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') throw new BadFrameError('an event is too large');
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* ready.splice(0);
  }
}

/** The end mark of OpenAI-style streams is the one event whose data is not JSON. */
function sseFrame(event: string, data: string): Frame {
  if (data.trim() === '[DONE]') return { event: '[DONE]', data: null };
  return { event, data: parseFrameJson(data) };
}

/** Only Bedrock needs the binary framing, so only Bedrock loads it. */
async function* lazyAwsFrames(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  const { awsFrames } = await import('./aws-frames.ts');
  yield* awsFrames(chunks);
}
