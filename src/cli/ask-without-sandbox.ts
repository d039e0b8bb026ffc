import { type Host, secretNamer, setConfigValue } from '#host';
import { sandboxQuestion } from '#host/tools/home-backends';
import { say } from '#kit/text';
import { askInTerminal } from './ask-in-terminal.ts';
import type { CliContext } from './command.ts';

const KEY = 'gate.without_sandbox';

/**
 * Says once that there is no sandbox here, and asks whether commands may run without. What is answered is kept in the
 * configuration; without an answer, none runs, and the next start asks again.
 */
export async function askWithoutSandbox(
  host: Pick<Host, 'home' | 'loaded' | 'log' | 'plugins'>,
  context: CliContext,
): Promise<boolean | undefined> {
  const ask = askInTerminal(context);
  const missing = ask && (await sandboxQuestion(host));
  if (!ask || !missing) return undefined;
  const { question, no, yes, kept } = context.text.withoutSandbox;
  const answer = await ask(
    question(say(missing.what, context.language), say(missing.fix, context.language)),
    [no, yes],
    context.signal,
  );
  if (answer !== no && answer !== yes) return undefined;
  const secretName = await secretNamer();
  await setConfigValue(host.home, KEY, String(answer === yes), { env: context.env, secretName });
  context.stdout.write(`${kept(KEY)}\n`);
  return answer === yes;
}
