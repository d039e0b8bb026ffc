import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{src,testkit,scripts,bench,test}/**/*.test.ts'],
    // Tests never see the keys or the home of whoever runs them.
    env: { HERMES_HOME: '/nonexistent/hermes-home', NO_COLOR: '1' },
    testTimeout: 20_000,
  },
});
