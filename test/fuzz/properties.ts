import fc from 'fast-check';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import { describedCalls, toCall } from './described-calls.ts';
import { type Answer, sendCall, sendRaw } from './exchange.ts';
import type { FuzzedServer } from './fuzzed-server.ts';
import { brokenImages } from './images.ts';
import { filled } from './known.ts';
import { rawRequests } from './raw-requests.ts';
import { playUpload, uploadMetadata, uploads, wholeUpload } from './uploads.ts';

type Parameters = Pick<
  fc.Parameters,
  'seed' | 'path' | 'numRuns' | 'interruptAfterTimeLimit' | 'endOnFailure'
>;
/** Sends many requests of one kind and checks the server after each. */
export type Property = (parameters: Parameters) => Promise<{ runs: number }>;

const present = (answer: Answer | undefined) => (answer ? [answer] : []);

export const propertyNames = [
  'requests that are hardly HTTP',
  'calls that the API describes',
  'uploads in steps',
  'images with bits turned',
] as const;

/** All kinds of hostile requests, by name. */
export async function propertiesOf(
  server: FuzzedServer,
): Promise<Record<(typeof propertyNames)[number], Property>> {
  const property =
    <T>(values: fc.Arbitrary<T>, send: (value: T) => Promise<Answer[]>): Property =>
    async (parameters) => {
      let runs = 0;
      let last = Promise.resolve();
      const holds = fc.asyncProperty(values, (value) => {
        runs++;
        last = send(value).then((answers) => server.check(answers));
        return last;
      });
      await fc.assert(holds, parameters).catch(async (error: unknown) => {
        await last.catch(() => {});
        throw error;
      });
      // At its time limit, fast-check does not wait for the current run.
      await last;
      return { runs };
    };

  return {
    'requests that are hardly HTTP': property(rawRequests, ({ text, writes }) => {
      const bytes = Buffer.from(filled(text, server.known), 'latin1');
      return sendRaw(server.url, bytes, writes, server.isHealthy);
    }),

    'calls that the API describes': property(
      describedCalls(server.description),
      async (described) => {
        const call = toCall(described, server.known);
        const answer = await sendCall(server.url, call);
        const hadSession = call.headers.authorization === `Bearer ${server.known.token}`;
        if (hadSession && (answer?.status === 401 || call.path === apiRoutes.signOut)) {
          await server.signInAgain();
        }
        return present(answer);
      },
    ),

    'uploads in steps': property(uploads, (upload) =>
      Array.fromAsync(playUpload(server.url, server.known.token, upload)),
    ),

    'images with bits turned': property(
      fc.tuple(await brokenImages(), uploadMetadata),
      async ([bytes, metadata]) =>
        present(await sendCall(server.url, wholeUpload(server.known.token, bytes, metadata))),
    ),
  };
}
