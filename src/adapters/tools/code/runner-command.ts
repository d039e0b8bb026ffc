import { JAVASCRIPT_RUNNER } from './javascript-runner.ts';
import { PYTHON_RUNNER } from './python-runner.ts';

export const LANGUAGES = ['python', 'javascript'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The exit code of a place that has no interpreter for a language. */
export const NO_INTERPRETER = 117;

/**
 * The command line that starts the runner of a language with the first interpreter that works there. A name that is
 * found need not work: a version manager's shim, for one, leads nowhere in a sandbox.
 */
export function runnerCommand(language: Language): string {
  const [programs, probe, start] = PLANS[language];
  const candidates = programs.map(quote).join(' ');
  return [
    `: execute_code ${language}`,
    `for program in ${candidates}; do`,
    `"$program" ${probe} >/dev/null 2>&1 </dev/null && exec "$program" ${start}`,
    'done',
    `exit ${NO_INTERPRETER}`,
  ].join('\n');
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const PLANS: Readonly<
  Record<Language, readonly [programs: readonly string[], probe: string, start: string]>
> = {
  python: [
    ['python3', '/usr/bin/python3', '/usr/local/bin/python3'],
    `-c 'import sys; sys.exit(sys.version_info < (3, 8))'`,
    `-c ${quote(PYTHON_RUNNER)}`,
  ],
  javascript: [
    [process.execPath, 'node', '/usr/bin/node', '/usr/local/bin/node'],
    `-e 'process.exit(require("vm").constants ? 0 : 1)'`,
    `--input-type=commonjs -e ${quote(JAVASCRIPT_RUNNER)}`,
  ],
};
