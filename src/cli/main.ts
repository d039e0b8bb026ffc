import pkg from '../../package.json' with { type: 'json' };

// `--version` is answered before anything else is loaded.
const [first] = process.argv.slice(2);
if (first === '--version' || first === '-V') process.stdout.write(`hermes ${pkg.version}\n`);
else {
  const { enableCompileCache } = await import('node:module');
  enableCompileCache();
  const { runCli } = await import('./run-cli.ts');
  process.exitCode = await runCli(process.argv.slice(2), pkg.version);
}
