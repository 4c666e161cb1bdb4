import { defineConfig } from '@playwright/test';
import { headlessShellOptions } from './test/browser/chromium.ts';

export default defineConfig({
  testDir: 'test/browser',
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // A busy machine may once be too slow for a browser; what fails twice is broken. Flaky ones are named.
  retries: process.env.CI ? 1 : 0,
  workers: 2,
  reporter: [['list']],
  timeout: 30_000,
  use: {
    browserName: 'chromium',
    locale: 'es-ES',
    viewport: { width: 1280, height: 800 },
    trace: 'retain-on-failure',
    launchOptions: headlessShellOptions,
  },
});
