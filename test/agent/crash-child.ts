import { openHost } from '#host';

/** Talks until it is killed. What it prints has been shown to the user. */
const [home = '', cwd = '', session = ''] = process.argv.slice(2);
const host = await openHost({ env: { HERMES_HOME: home }, version: 'test' });
const conversation = await host.conversation({
  ...(session ? { resume: session } : {}),
  cwd,
  language: 'en',
  platform: 'pipe',
});
for (let i = 0; ; i++) {
  const turn = conversation.send([{ type: 'text', text: `go on ${i}` }], new AbortController().signal);
  for await (const event of turn) {
    if (event.type === 'turn.started') process.stdout.write(`\nsession ${conversation.session.id}\n`);
    if (event.type === 'text.delta') process.stdout.write(event.data.text);
    if (event.type === 'tool.ended') process.stdout.write(`\ntool ${event.data.call}\n`);
  }
}
