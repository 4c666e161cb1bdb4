import { ConfigError } from '../src/server/config.ts';
import { startDemo } from './demo/start-demo.ts';

/** Longest that open connections may hold up the end. */
const drainMs = 5_000;

async function main(): Promise<void> {
  const starting = startDemo(process.env);
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), drainMs).unref();
    // A demo that failed to start has cleaned up after itself, and says so below.
    await starting.then((demo) => demo.stop()).catch(() => {});
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);

  const { url, dataDir, people } = await starting;
  if (stopping) return;
  const [guest] = people;
  console.log(`
  tertulia, with invented people and conversations:

    ${url.replace(/127\.0\.0\.1|0\.0\.0\.0|\[::1?\]/, 'localhost')}

  Sign in as ${guest?.email} with the password ${guest?.password}
  Everything lies in ${dataDir} and goes away when this ends (Ctrl+C).
`);
}

try {
  await main();
} catch (error) {
  process.exitCode = error instanceof ConfigError ? 2 : 1;
  console.error(error instanceof Error ? error.message : error);
}
