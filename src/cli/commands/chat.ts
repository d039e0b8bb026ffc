import { createInterface, type Interface } from 'node:readline';
import pc from 'picocolors';
import { newId } from '#kit/new-id';
import type { Message } from '#spec/data';
import { answer } from '../answer.ts';
import { type CliContext, defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';

export const command = defineCommand({
  summary: { en: 'talk, line by line (the default)', zh: '逐行对话(默认命令)' },
  build: (cli, run, context) => {
    cli
      .option('-m, --model <provider/model>', context.text.run.model)
      .action((options: { model?: string }) => run(() => chat(context, options.model)));
  },
});

/** Lines in, answers out, until an empty line or the end of the input. Ctrl-C stops the answer, then the chat. */
async function chat(context: CliContext, model: string | undefined): Promise<number> {
  const { stdin, stdout, text } = context;
  const host = await context.host();
  const interactive = (stdin.isTTY && stdout.isTTY) ?? false;
  const lines = createInterface({
    input: stdin,
    output: interactive ? stdout : undefined,
    terminal: interactive,
    prompt: pc.cyan(text.chat.prompt),
  } as never);
  const stream = newId('chat');
  const messages: Message[] = [];
  if (interactive) {
    stdout.write(
      `${text.chat.welcome(context.version, (await host.answering(model)) ?? text.chat.operator)}\n`,
    );
    lines.prompt();
  }
  for await (const line of lines) {
    if (!line.trim()) {
      if (interactive) break;
      continue;
    }
    messages.push({ role: 'user', content: [{ type: 'text', text: line }] });
    const reply = await interruptible(lines, (signal) =>
      answer(host, context, messages, { json: false, model, stream, signal }),
    );
    // Nothing runs tools here, and a call without its result may not be sent back.
    const content = reply.message.content.filter(({ type }) => type !== 'tool_call');
    if (reply.done && content.length) messages.push({ ...reply.message, content });
    else messages.pop();
    if (interactive) lines.prompt();
  }
  return EXIT.ok;
}

async function interruptible<T>(lines: Interface, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = () => controller.abort();
  lines.on('SIGINT', stop);
  try {
    return await work(controller.signal);
  } finally {
    lines.removeListener('SIGINT', stop);
  }
}
