/**
 * Makes tests in Node load the client's modules as Vite transforms them for the browser, so that their coverage has the
 * same branches: `node --import=./scripts/transform-client.ts`.
 */
import { readFileSync } from 'node:fs';
import { type LoadHook, register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { transformWithOxc } from 'vite';

export const isClientModule = (url: string): boolean => /\/src\/client\/.*\.tsx?$/.test(url);

/** @returns the module as JavaScript, and its source map */
export function transform(file: string): ReturnType<typeof transformWithOxc> {
  return transformWithOxc(readFileSync(file, 'utf8'), file, { sourcemap: true });
}

export const load: LoadHook = async (url, context, nextLoad) => {
  if (!isClientModule(url)) return nextLoad(url, context);
  const { code } = await transform(fileURLToPath(url));
  return { format: 'module', source: code, shortCircuit: true };
};

// Node runs the hooks of this module in another thread.
if (isMainThread) register(import.meta.url);
