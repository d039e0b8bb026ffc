import pkg from '../../package.json' with { type: 'json' };

// A reader that has seen enough (`hermes … | head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

// Nobody is left to tell that nobody can be told: a log of errors on a full disk must not end the server.
process.stderr.on('error', () => undefined);

/** Later than any start on a slow machine, sooner than a first conversation ends. */
const CACHE_AFTER_MS = 5000;

// `--version` is answered before anything else is loaded.
const [first] = process.argv.slice(2);
if (first === '--version' || first === '-V') process.stdout.write(`hermes ${pkg.version}\n`);
else {
  const { enableCompileCache, flushCompileCache } = await import('node:module');
  enableCompileCache();
  // Node writes the cache when a process ends by itself. A closed terminal or a stopped daemon does not: so it is written
  // once the start is over.
  setTimeout(flushCompileCache, CACHE_AFTER_MS).unref();
  const { runCli } = await import('./run-cli.ts');
  process.exitCode = await runCli(process.argv.slice(2), pkg.version);
}
