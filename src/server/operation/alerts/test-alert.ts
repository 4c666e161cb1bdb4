import { OperatorError } from '../../system/operator-error.ts';
import type { Config } from '../../system/settings/config.ts';
import { type Alert, deliver, request } from './send-alert.ts';

/** Its type is that of an alert that calls somebody, since a receiver may ignore the others. */
const test: Alert = {
  kind: 'test',
  type: 'failure',
  title: 'Prueba de las alertas',
  message:
    'Esto es una prueba: alguien ha ejecutado tertulia doctor --alert. No hace falta hacer nada.',
};

type Answers = [subject: string, ask: (context: { config: Config }) => Promise<string>][];

/** Sends a test to each place that alerts are sent to. Each returns the answer, or throws an error that has it. */
export const alertTests: Answers = [
  ['ALERT_TO', ({ config }) => sendTest({ ...config, alertUrl: undefined })],
  ['ALERT_URL', ({ config }) => sendTest({ ...config, alertTo: undefined })],
  ['HEARTBEAT_URL', fetchHeartbeat],
];

async function sendTest(config: Config): Promise<string> {
  const [delivery] = await deliver(config, test);
  if (!delivery) return 'not set';
  if (!delivery.isAccepted)
    throw new OperatorError(`the test was not accepted: ${delivery.answer}`);
  return `the test was accepted: ${delivery.answer}`;
}

async function fetchHeartbeat({ config: { heartbeatUrl } }: { config: Config }): Promise<string> {
  if (heartbeatUrl === undefined) return 'not set';
  const problem = await request(heartbeatUrl);
  if (problem) throw new OperatorError(`was not fetched: ${problem}`);
  return 'fetched, as while all is well';
}
