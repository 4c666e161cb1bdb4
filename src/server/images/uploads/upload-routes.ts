import type { FastifyReply, FastifyRequest } from 'fastify';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { limits } from '../../../shared/limits.ts';
import { callerOf } from '../../accounts/sessions/session-guard.ts';
import { ApiError } from '../../http/api-error.ts';
import type { App } from '../../http/app-type.ts';
import { openCounts } from '../../http/limits/open-counts.ts';
import { openOnce } from '../../system/open-once.ts';
import { UploadTooLarge } from '../errors.ts';
import { toTusRequest } from './tus-bridge.ts';
import type { UploadServices } from './tus-uploads.ts';
import { uploadDescriptions } from './upload-descriptions.ts';
import { isUploadOf } from './upload-id.ts';
import { maxMbOf, usedFor } from './upload-limits.ts';

/** Upload requests in progress. */
const countOpen = openCounts({
  perKey: limits.uploadsAtOnce,
  total: 100,
  detail: `Ya tienes ${limits.uploadsAtOnce} subidas en marcha. Espera a que acabe una y vuelve a intentarlo.`,
  retryAfterSeconds: 5,
});

/** Resumable uploads (tus 1.0). The response to the request with the last byte is a StoredFile. */
export function uploadRoutes(app: App, services: UploadServices): void {
  const { maxImageMb, maxFileMb, maxImportMb } = services.config;
  const maxBytes = Math.max(maxImageMb, maxFileMb, maxImportMb) * 1024 * 1024;
  const openTus = openOnce(async () => {
    const { openTusServer } = await import('./tus-uploads.ts');
    return openTusServer(services, maxBytes);
  });

  async function handle(request: FastifyRequest, reply: FastifyReply) {
    const accountId = callerOf(request).id;
    const { id } = request.params as { id?: string };
    if (id !== undefined && !isUploadOf(accountId, id)) throw new ApiError('upload_not_found');
    rejectTooLarge(request);
    const tusRequest = toTusRequest(request);
    const close = countOpen(accountId);
    try {
      const response = await (await openTus())(tusRequest, accountId);
      response.headers.set('cache-control', 'private, no-store');
      return reply.send(response);
    } finally {
      close();
      // Discards the rest of the body, as Node does with an unread body: the connection cannot carry another request
      // until the body has been read.
      request.raw.removeAllListeners('data').resume();
    }
  }

  function rejectTooLarge({ headers }: FastifyRequest): void {
    const bytes = Number(headers['upload-length']);
    const use = usedFor(headers['upload-metadata']);
    const maxMb = maxMbOf(services.config, use);
    // What is no length at all is refused by the tus server.
    if (!Number.isSafeInteger(bytes) || bytes <= maxMb * 1024 * 1024) return;
    throw new UploadTooLarge(use, bytes, maxMb);
  }

  // Slow uploads would delay the shutdown; clients can resume them later or at another worker.
  app.addHook('preClose', async () => services.uploads.locker.requestReleases());

  app.register(async (scope) => {
    // The tus server reads the body itself.
    scope.addContentTypeParser('application/offset+octet-stream', (_request, _payload, done) =>
      done(null),
    );
    const config = { moves: 'upload' } as const;
    const url = `${apiRoutes.uploads}/:id`;
    const { create, send, read, cancel } = uploadDescriptions;
    scope.post(apiRoutes.uploads, { schema: create, config }, handle);
    scope.patch(url, { schema: send, config }, handle);
    scope.head(url, { schema: read }, handle);
    scope.delete(url, { schema: cancel }, handle);
  });
}
