/**
 * Serves with the settings of the environment, like `tertulia start`, but has run for more than an hour as soon as it
 * listens: in its first hour, a server erases nothing.
 */
import { startServer } from '../../src/server/operation/start/start-server.ts';
import { parseConfig } from '../../src/server/system/settings/config.ts';

let passedMs = 0;
const steadyNow = () => {
  queueMicrotask(() => {
    passedMs = 2 * 3_600_000;
  });
  return passedMs;
};
const settings = { file: undefined, values: {} };
await startServer({ config: parseConfig(process.env), settings, steadyNow });
