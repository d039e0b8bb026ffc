import { tell } from '#kit/text';
import type { Arg } from '../arg.ts';
import type { Program } from '../call.ts';
import { applyGrammar, type Grammar, known } from '../grammar.ts';

const HELP = '--help --version';

const JQ: Grammar = {
  flags: `acCeghHijMnRrsSV --compact-output --raw-output --raw-output0 --join-output --ascii-output --null-input --raw-input
    --slurp --sort-keys --color-output --monochrome-output --tab --exit-status --seq --stream --stream-errors --unbuffered
    --args --jsonargs ${HELP}`,
  text: '--indent',
  asksWith: '-f|--from-file -L',
};
/** `--arg name value` and `--slurpfile name file` take two words each. */
export const jq: Program = (call) => {
  const args: Arg[] = [];
  for (let at = 0; at < call.args.length; at++) {
    const arg = call.args[at] as Arg;
    const pair = /^--(?:arg|argjson|slurpfile|rawfile|argfile)$/.exec(arg.text);
    if (!pair) args.push(arg);
    else {
      const value = call.args[at + 2];
      if (arg.text.endsWith('file') && value) call.reads(value);
      at += 2;
    }
  }
  const { operands } = applyGrammar(call, args, JQ);
  const [filter, ...files] = operands;
  if (filter && /\benv\b|\$ENV\b|\$__prog_args\b/.test(filter.text))
    call.showsPrivate(tell('reads the environment', '会读取环境变量'));
  if (filter && /\b(?:import|include|input_filename|debug|modulemeta)\b|\$__loc__/.test(filter.text))
    call.ask(tell('takes its program from elsewhere', '其程序来自别处'));
  if (filter && !filter.literal && !filter.whole)
    call.ask(tell('runs a filter that cannot be told beforehand', '会运行无法事先得知的过滤器'));
  for (const file of files) call.reads(file);
  return undefined;
};

export const yq = known(
  {
    flags: `ceinNPrCMv --null-input --exit-status --prettyPrint --no-colors --colors --no-doc --raw-output --raw-input --slurp --compact-output --yaml-output --toml-output --unwrapScalar --verbose ${HELP}`,
    text: '-o|--output-format -p|--input-format -I|--indent --arg --argjson',
    asks: '-s|--split-exp',
    asksWith: '--from-file --split-exp-file -f',
    booleans: true,
  },
  (call, words) => {
    const verbs = /^(?:e|eval|ea|eval-all)$/.test(words.operands[0]?.text ?? '') ? 1 : 0;
    const [filter, ...files] = words.operands.slice(verbs);
    if (
      filter &&
      /\benv\b|strenv|envsubst|\$ENV|\$env|load(?:_\w+)?\s*\(|\bsystem\b|\binclude\b/.test(filter.text)
    )
      call.showsPrivate(tell('reads the environment or other files', '会读取环境变量或其他文件'));
    for (const file of files) {
      call.reads(file);
      if (words.has('-i')) call.writes(file, 'change');
    }
    return undefined;
  },
);
