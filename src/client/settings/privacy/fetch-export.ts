import { apiRoutes } from '../../../shared/api-routes.ts';
import { bearer } from '../../api/call.ts';
import { Failure, toProblem } from '../../api/failures.ts';
import { withToken } from '../../api/request.ts';

/** The name of the file, with the day where the browser is. Swedish dates are written as in ISO 8601. */
export const exportName = (now: Date) => `tertulia-${now.toLocaleDateString('sv')}.zip`;

/**
 * Downloads the account's data.
 * @param onBytes called with the number of bytes received so far
 */
export async function fetchExport(
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<Blob> {
  try {
    const response = await withToken(
      (token) => fetch(apiRoutes.export, { headers: bearer(token), signal }),
      { isRejected: ({ status }) => status === 401 },
    );
    if (response === 'unreachable') throw new Failure(null);
    if (!response.ok || !response.body) {
      const problem = toProblem(await response.json().catch(() => null));
      throw new Failure(problem, { answered: response.status });
    }
    let bytes = 0;
    const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        bytes += chunk.length;
        onBytes(bytes);
        controller.enqueue(chunk);
      },
    });
    // Browsers automatically move a large blob to the disk.
    return await new Response(response.body.pipeThrough(counter)).blob();
  } catch (error) {
    throw error instanceof Failure ? error : new Failure(null);
  }
}
