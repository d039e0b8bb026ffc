import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/',
  plugins: [react()],
  // The console is a package of its own: the map of names in the tree around it is not its map.
  resolve: {
    alias: {
      '#spec/data/operations': fileURLToPath(
        new URL('../src/spec/data/operations/index.ts', import.meta.url),
      ),
      '#kit': fileURLToPath(new URL('../src/kit', import.meta.url)),
    },
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: false,
    // Nothing may be inlined: the page loads files of its own origin only.
    assetsInlineLimit: 0,
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': process.env['HERMES_SERVER'] ?? 'http://127.0.0.1:8000' },
  },
});
