import { ConfigError } from '../src/server/system/settings/config.ts';
import { startDemo } from './demo/start-demo.ts';

/** Exit after this time even if connections are still open. */
const drainMs = 5_000;

const starting = startDemo(process.env);
let stopping = false;

async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  setTimeout(() => process.exit(1), drainMs).unref();
  // If the start fails, `startDemo` cleans up and the error is printed below.
  await starting.then((demo) => demo.stop()).catch(() => {});
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);

try {
  const { url, dataDir, people, moderator } = await starting;
  const [guest] = people;
  if (!stopping) {
    console.log(`
  tertulia, with invented people and conversations:

    ${url.replace(/127\.0\.0\.1|0\.0\.0\.0|\[::1?\]/, 'localhost')}

  Sign in as ${guest?.email} with the password ${guest?.password},
  or as ${moderator.email} with the same one, who looks after the forum (/moderation)
  The data is in ${dataDir} and is deleted when the demo ends (Ctrl+C).
`);
  }
} catch (error) {
  process.exitCode = error instanceof ConfigError ? 2 : 1;
  console.error(error instanceof Error ? error.message : error);
}
