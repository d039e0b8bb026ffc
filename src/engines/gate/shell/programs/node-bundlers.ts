import { tell } from '#kit/text';
import { cutArg } from '../arg.ts';
import { forEach, type Program, type ProgramTable } from '../call.ts';
import { OPAQUE } from '../feed.ts';
import { applyGrammar, type Grammar } from '../grammar.ts';
import { byVerb, each, needsAgreement } from '../verbs.ts';
import { loads, tool, verb } from './project-tools.ts';

const HELP = '-h|--help -v|--version --color|!--no-color';

const webpack = tool({
  flags: `-w|--watch|!--no-watch --progress --analyze --fail-on-warnings --no-devtool --no-stats -m|--merge --hot|!--no-hot --live-reload --no-live-reload --compress --history-api-fallback --disable-interpret ${HELP}`,
  text: '--mode --env --node-env --devtool -d --target -t --stats --name --config-name --port --output-filename --output-chunk-filename --output-public-path --output-library-type',
  glued: '--json',
  inside: '-c|--config --entry --extends --context',
  writes: '-o|--output-path',
  asks: '--open --allowed-hosts-all',
  asksWith: '--host --allowed-hosts --define-process-env-node-env -e --ipc',
  booleans: true,
});

const vite = tool({
  flags: `--cors --strictPort --force --clearScreen|!--no-clearScreen --emptyOutDir --watch|-w --manifest --app --profile ${HELP}`,
  text: '--port --mode|-m -l|--logLevel --base --target --assetsDir --assetsInlineLimit -f|--filter --configLoader',
  glued: '--host --minify --sourcemap --debug -d --ssr --ssrManifest',
  inside: '-c|--config',
  writes: '--outDir',
  asksWith: '--open',
  booleans: true,
});

const rollup = tool({
  flags: `-c|--config -w|--watch --silent -m|--sourcemap --failAfterWarnings --compact --strict|!--no-strict --esModule|!--no-esModule --treeshake|!--no-treeshake --bundleConfigAsCjs --preserveModules --preserveSymlinks --validate --perf --logLevel-silent --no-stdin --freeze|!--no-freeze --minify ${HELP}`,
  text: '-f|--format -n|--name -e|--external -g|--globals --environment --exports --entryFileNames --chunkFileNames --assetFileNames --context --logLevel --filterLogs --banner --footer --interop --platform',
  inside: '-i|--input --cacheDir',
  writes: '-o|--file -d|--dir',
  asksWith:
    '-p|--plugin --configPlugin --watch.onStart --watch.onEnd --watch.onBundleStart --watch.onBundleEnd --watch.onError',
  booleans: true,
});

const ESBUILD: Grammar = {
  flags:
    '--bundle --minify --minify-whitespace --minify-identifiers --minify-syntax --watch --sourcemap --analyze --splitting --tree-shaking --keep-names --allow-overwrite --ignore-annotations --preserve-symlinks --sources-content --jsx-dev --color --line-limit --help --version -h',
  text: '--platform --format --target --define --loader --external --log-level --log-override --log-limit --jsx --jsx-factory --jsx-fragment --jsx-import-source --banner --footer --packages --main-fields --conditions --global-name --legal-comments --entry-names --chunk-names --asset-names --out-extension --public-path --charset --drop --drop-labels --pure --source-root --resolve-extensions --mangle-props --reserve-props --supported --sourcefile',
  inside: '--tsconfig --inject --alias --outbase --tsconfig-raw --abs-working-dir',
  writes: '--outfile --outdir --metafile --mangle-cache',
  asksWith: '--serve --servedir --serve-fallback --certfile --keyfile --cors-origin',
  booleans: true,
};
/** `--define:NAME=value`: what stands behind the colon belongs to the value. `--minify=true`, `--watch=forever`. */
const esbuild: Program = (call) => {
  const args = call.args.map((arg) => {
    const colon = /^--[a-z-]+:/.exec(arg.text)?.[0].length;
    if (colon) return { ...arg, text: `${arg.text.slice(0, colon - 1)}=${cutArg(arg, colon).text}` };
    return { ...arg, text: arg.text.replace(/^--(sourcemap|analyze|watch)=[a-z]+$/, '--$1') };
  });
  const words = applyGrammar(call, args, ESBUILD);
  call.level(2);
  for (const place of [...words.operands, ...words.values('--inject', '--alias', '--tsconfig-raw')])
    loads(call, place);
  return OPAQUE;
};

const tsup = tool({
  flags: `--watch|!--no-watch --minify --minify-whitespace --dts --dts-only --dts-resolve --clean --sourcemap --splitting|!--no-splitting --treeshake --silent --shims --bundle|!--no-bundle --no-config --keep-names --cjsInterop --metafile --stub --parallel --unbundle --exports --unused --publint --attw ${HELP}`,
  text: '--format|-f --target --platform --external --loader --global-name --legal-output --jsx-factory --inject-style --log-level|-l --define',
  inside: '--config|-c --tsconfig --entry --inject --from-vite',
  writes: '--out-dir|-d',
  asksWith: '--onSuccess|--on-success',
  booleans: true,
});

/** Frameworks: they build, check and show the project that they stand in. */
const FRAMEWORK: Grammar = {
  flags: `--turbo --turbopack --webpack --debug -d --profile --no-lint --no-mangling --fix --strict --quiet --verbose --watch|!--no-watch --prod --production --source-map|!--no-source-map --aot --code-coverage --coverage --ci --json --force --no-progress --progress --hmr --minify --prerender --dotenv --experimental-debug-memory-usage --experimental-build-mode-compile --silent --no-fork --fork --updateSnapshot -u --passWithNoTests --watchAll --quiet-deps --test --smoke-test --no-version-updates --no-open --minimumFailingSeverity-error ${HELP}`,
  text: '-p|--port --keepAliveTimeout --max-warnings --ext --configuration --project --browsers --mode --logLevel --log-level --base --base-href --site --stats-json-name --include --exclude --preset --testNamePattern -t --maxWorkers --minimumFailingSeverity',
  inside: '-c|--config --dir --cwd --root --tsconfig --config-dir --ts-config',
  writes: '--outDir --output-path -o|--output-dir',
  asks: '--experimental-https --ui --open --host --public',
  asksWith:
    '-H|--hostname --experimental-https-key --experimental-https-cert --experimental-https-ca --ssl-key --ssl-cert --proxy-config',
  booleans: true,
};
const framework = (verbs: string): Program =>
  byVerb({ flags: HELP }, each(verbs, verb(FRAMEWORK)), { alone: 'asks' });

export const bundlers: ProgramTable = {
  webpack,
  vite,
  ...forEach('rollup rolldown', rollup),
  esbuild,
  ...forEach('tsup tsdown unbuild', tsup),
  swc: tool({
    flags: `-w|--watch --sync --no-swcrc --source-maps|-s --strip-leading-paths --copy-files|-D --include-dotfiles --quiet|-q --log-watch-compilation --delete-dir-on-start ${HELP} -V`,
    text: '--extensions --only --ignore --workers --out-file-extension -C',
    inside: '--config-file --root-mode',
    writes: '-o|--out-file -d|--out-dir',
  }),
  next: framework('build, dev, start, lint, info, typegen'),
  ...forEach(
    'nuxt nuxi',
    framework('build, dev, generate, prepare, preview, typecheck, analyze, info, test'),
  ),
  astro: framework('build, dev, check, preview, sync, info'),
  ng: byVerb(
    { flags: HELP },
    {
      ...each('build, b, test, t, lint, serve, s, version, v', verb(FRAMEWORK)),
      ...each('deploy, add, update', needsAgreement(tell('fetches or publishes', '会取来或对外发布'))),
    },
  ),
  'react-scripts': framework('build, test, start'),
  storybook: framework('build, dev'),
  tailwindcss: tool({
    flags: `--watch|-w --minify|-m --optimize --no-autoprefixer --poll ${HELP}`,
    inside: '-i|--input -c|--config --content --cwd --postcss',
    writes: '-o|--output --map',
  }),
  postcss: tool({
    flags: `-w|--watch -r|--replace -m|--map|!--no-map --verbose --poll --include-dotfiles --env-production ${HELP}`,
    text: '--env --ext --base',
    inside: '-u|--use --config --parser --syntax --stringifier',
    writes: '-o|--output -d|--dir',
  }),
  ...forEach(
    'typedoc jsdoc',
    tool({
      flags: `--watch --skipErrorChecking --excludePrivate --excludeInternal --excludeProtected --treatWarningsAsErrors -r|--recurse -p|--private --verbose --pedantic --debug --nocolor --hideGenerator ${HELP}`,
      text: '--name --entryPointStrategy --exclude --logLevel -a|--access -e|--encoding --sort',
      inside:
        '-c|--configure --tsconfig --options --plugin --entryPoints --readme --theme -t|--template -u|--tutorials -P|--package -R',
      writes: '--out --json -d|--destination',
    }),
  ),
};
