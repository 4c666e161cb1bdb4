import { defineConfig } from '@playwright/test';
import { headlessShellOptions } from './test/browser/chromium.ts';

export default defineConfig({
  testDir: 'test/browser',
  // Node runs TypeScript itself, in half the time.
  build: { external: ['**/*'] },
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  workers: 3,
  // A test that passes only the second time does not stop a change, and is named as flaky: it has a race to mend.
  retries: process.env.CI ? 1 : 0,
  reporter: [['list']],
  // Only a failure takes this long; a machine may be busy with other work.
  timeout: 180_000,
  expect: { timeout: 60_000 },
  use: {
    browserName: 'chromium',
    locale: 'es-ES',
    viewport: { width: 1280, height: 800 },
    // Animations take processor time, and a check could run during one.
    contextOptions: { reducedMotion: 'reduce' },
    // Recording traces takes a fifth of the processor time; `--trace on` records one of a test that fails.
    screenshot: 'only-on-failure',
    launchOptions: headlessShellOptions,
  },
});
