import pkg from '../../package.json' with { type: 'json' };

// A reader that has seen enough (`hermes … | head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

// Nobody is left to tell that nobody can be told: a log of errors on a full disk must not end the server.
process.stderr.on('error', () => undefined);

// `--version` is answered before anything else is loaded.
const [first] = process.argv.slice(2);
if (first === '--version' || first === '-V') process.stdout.write(`hermes ${pkg.version}\n`);
else {
  const { enableCompileCache } = await import('node:module');
  enableCompileCache();
  const { runCli } = await import('./run-cli.ts');
  process.exitCode = await runCli(process.argv.slice(2), pkg.version);
}
