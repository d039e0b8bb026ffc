import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { fail } from '#kit/app-error';
import { type ImagePart, THINKING_LEVELS, type ThinkingLevel } from '#spec/data';
import { answer } from '../answer.ts';
import { type CliContext, defineCommand } from '../command.ts';

interface RunOptions {
  model?: string;
  image: string[];
  thinking?: string;
  json?: boolean;
  resume?: string;
  continue?: boolean;
}

const PIPE = '-';

export const command = defineCommand({
  summary: { en: 'answer one message and leave', zh: '回答一条消息后退出' },
  build: (cli, run, context) => {
    const { text } = context;
    cli
      .argument('[prompt...]', text.run.prompt)
      .option('-m, --model <provider/model>', text.run.model)
      .option('-i, --image <file>', text.run.image, (file: string, files: string[]) => [...files, file], [])
      .option('--thinking <level>', text.run.thinking)
      .option('-c, --continue', text.run.continue)
      .option('-r, --resume <session>', text.run.resume)
      .option('--json', text.run.json)
      .action((words: string[], options: RunOptions) => run(() => runOnce(words, options, context)));
  },
});

async function runOnce(words: string[], options: RunOptions, context: CliContext): Promise<number> {
  const { text } = context;
  const thinking = thinkingLevel(options.thinking, context);
  const prompt = await readPrompt(words, context);
  const images = await Promise.all(options.image.map((path) => readImage(path, context)));
  if (!prompt.trim() && !images.length) throw fail('input.invalid', text.run.nothing);
  const host = await context.host();
  const conversation = await host.conversation({
    resume: options.resume,
    latest: options.continue,
    model: options.model,
    thinking,
    cwd: process.cwd(),
    language: context.language,
    platform: context.stdout.isTTY ? 'cli' : 'pipe',
  });
  const content = [...(prompt.trim() ? [{ type: 'text' as const, text: prompt }] : []), ...images];
  try {
    return await answer(conversation, context, content, {
      json: options.json ?? false,
      signal: context.signal,
    });
  } finally {
    await host.close();
  }
}

async function readPrompt(words: readonly string[], { stdin }: CliContext): Promise<string> {
  const piped = words.includes(PIPE) || (!words.length && !stdin.isTTY) ? await readAll(stdin) : '';
  const said = words.filter((word) => word !== PIPE).join(' ');
  return [said, piped.trimEnd()].filter(Boolean).join('\n\n');
}

function thinkingLevel(value: string | undefined, { text }: CliContext): ThinkingLevel | undefined {
  if (value === undefined) return undefined;
  const level = THINKING_LEVELS.find((known) => known === value);
  if (!level) throw fail('input.invalid', text.run.badThinking(value));
  return level;
}

/** What the first bytes of each kind of image look like. */
const KINDS: readonly (readonly [ImagePart['mediaType'], (bytes: Buffer) => boolean])[] = [
  ['image/png', (bytes) => bytes.subarray(1, 4).toString('latin1') === 'PNG'],
  ['image/jpeg', (bytes) => bytes[0] === 0xff && bytes[1] === 0xd8],
  ['image/gif', (bytes) => bytes.subarray(0, 4).toString('latin1') === 'GIF8'],
  ['image/webp', (bytes) => bytes.subarray(8, 12).toString('latin1') === 'WEBP'],
];

async function readImage(path: string, { text }: CliContext): Promise<ImagePart> {
  const bytes = await readFile(path).catch((cause: NodeJS.ErrnoException) => {
    throw fail('input.invalid', text.run.noImage(path, cause.code ?? cause.message), undefined, cause);
  });
  const mediaType = KINDS.find(([, matches]) => matches(bytes))?.[0];
  if (!mediaType) throw fail('input.invalid', text.run.badImage(path));
  return { type: 'image', mediaType, data: bytes.toString('base64') };
}
