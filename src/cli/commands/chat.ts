import { askWithoutSandbox } from '../ask-without-sandbox.ts';
import { type CliContext, defineCommand } from '../command.ts';

interface ChatOptions {
  model?: string;
  resume?: string;
  continue?: boolean;
}

export const command = defineCommand({
  summary: { en: 'talk (the default)', zh: '对话(默认命令)' },
  build: (cli, run, context) => {
    const { text } = context;
    cli
      .option('-m, --model <provider/model>', text.run.model)
      .option('-c, --continue', text.run.continue)
      .option('-r, --resume <session>', text.run.resume)
      .action((options: ChatOptions) => run(() => chat(options, context)));
  },
});

async function chat(options: ChatOptions, context: CliContext): Promise<number> {
  const { stdin, stdout, env } = context;
  const [host, { runPlainChat, runTerminalChat }] = await Promise.all([
    context.host(),
    import('../chat/index.ts'),
  ]);
  const wanted = host.loaded.config.cli.prompt_style === 'rich';
  const interactive = wanted && stdin.isTTY && stdout.isTTY && env.TERM !== 'dumb';
  const withoutSandbox = interactive ? await askWithoutSandbox(host, context) : undefined;
  const conversation = await host.conversation({
    resume: options.resume,
    latest: options.continue,
    model: options.model,
    cwd: process.cwd(),
    language: context.language,
    platform: interactive ? 'cli' : 'pipe',
    withoutSandbox,
  });
  try {
    if (!interactive) return await runPlainChat(conversation, context);
    return await runTerminalChat(conversation, context, {
      historyFile: host.home.file('chat_history'),
      clean: (await host.redactor()).text,
      cwd: process.cwd(),
    });
  } finally {
    await host.close();
  }
}
