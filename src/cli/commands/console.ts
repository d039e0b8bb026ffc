import { findServer } from '#host/served/running-server';
import { fail } from '#kit/app-error';
import { defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { askForLink } from '../serve/ask-for-link.ts';
import { serveText } from '../text/serve-text.ts';
import { withHost } from '../with-host.ts';

export const command = defineCommand({
  summary: { en: 'an address that signs in to the console, once', zh: '获取一次性的控制台登录地址' },
  build: (cli, run, context) => {
    const text = serveText[context.language];
    cli.action(() =>
      withHost(
        run,
        context,
      )(async (host) => {
        const found = await findServer(host);
        if (found.state === 'absent') throw fail('input.not_found', text.notServed, 'hermes serve');
        const link = await askForLink(host, found.server.url);
        if ('why' in link)
          throw fail('input.forbidden', `${text.noLink}: ${link.why}`, 'hermes users add <user>');
        context.stdout.write(`${link.address}\n`);
        context.stderr.write(`${text.consoleNote}\n`);
        return EXIT.ok;
      }),
    );
  },
});
