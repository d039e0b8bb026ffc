import { basename } from 'node:path';
import type { Workflow } from '#engines/skills';

type Argument = Workflow['arguments'][number];

const URL_FORM = /https?:\/\/[^\s"'`,,。]+/i;
const DOMAIN = /(?<![\w@/.-])(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:[a-z]{2,})(?![\w/-])/i;
const FILE =
  /(?<![\w@:])(?:~?\/[\w.@+/-]+|(?:[\w.@+-]+\/)*[\w@+-]+\.(?:log|txt|csv|tsv|json|ndjson|ya?ml|py|ts|js|go|conf|gz|out|err|md))(?!\w)/i;
const REPOSITORY = /(?<![\w./:-])[\w.-]+\/[\w.-]+(?![\w/])/;
const NUMBER = /(?<![\w.])#?(\d{1,9})(?![\w.])/g;
const PAPER = /(?<!\d)\d{4}\.\d{4,5}(?:v\d+)?(?!\d)/;

/** What an argument of this name takes, by the form that it has in a sentence. The first that fits is taken. */
const FORMS: readonly {
  readonly names: RegExp;
  readonly find: (said: string, argument: Argument, cwd: string) => unknown;
}[] = [
  { names: /port$|number|count|^n$/i, find: (said) => onlyNumber(said) },
  { names: /^id$|paper/i, find: (said) => PAPER.exec(said)?.[0] },
  {
    names: /url|endpoint/i,
    find: (said) => {
      const url = URL_FORM.exec(said)?.[0];
      return url && { name: new URL(url).host, url };
    },
  },
  { names: /host|domain/i, find: (said) => hostIn(said) },
  { names: /repo/i, find: (said) => (FILE.test(said) ? undefined : REPOSITORY.exec(said)?.[0]) },
  { names: /path|file|input|dir|folder/i, find: (said) => FILE.exec(said)?.[0] },
  { names: /project/i, find: (_said, _argument, cwd) => basename(cwd) || undefined },
];

/** Arguments of a workflow as far as a sentence gives them, and the required ones that are still missing. */
export function fillArguments(
  workflow: Workflow,
  said: string,
  cwd: string,
): { readonly args: Readonly<Record<string, unknown>>; readonly missing: readonly Argument[] } {
  const args: Record<string, unknown> = {};
  for (const argument of workflow.arguments) {
    const form = FORMS.find(({ names }) => names.test(argument.name));
    const found = form?.find(said, argument, cwd);
    if (found === undefined) continue;
    const fits = argument.type === 'number' ? typeof found === 'number' : typeof found !== 'number';
    if (fits) args[argument.name] = argument.type === 'array' ? [found] : found;
  }
  const missing = workflow.arguments.filter(({ name, required }) => required && !(name in args));
  return { args, missing };
}

function onlyNumber(said: string): number | undefined {
  const all = [...said.matchAll(NUMBER)].map(([, digits]) => Number(digits));
  return all.length === 1 ? all[0] : undefined;
}

function hostIn(said: string): string | undefined {
  const url = URL_FORM.exec(said)?.[0];
  if (url) return new URL(url).hostname;
  const found = DOMAIN.exec(said)?.[0];
  return found && !FILE.test(found) ? found : undefined;
}
