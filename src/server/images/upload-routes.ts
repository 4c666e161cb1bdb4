import { randomUUID } from 'node:crypto';
import { Server as TusServer, type Upload } from '@tus/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import pLimit from 'p-limit';
import { Value } from 'typebox/value';
import { ImageUse } from '../../shared/images.ts';
import { apiRoutes } from '../../shared/routes.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import type { App } from '../http/app-type.ts';
import type { Limit } from '../http/rate-limits.ts';
import { callerOf, requireSession } from '../http/session-guard.ts';
import { acceptImage } from './accept-image.ts';
import { toStoredFile } from './image-queries.ts';
import { refusalForStatus, toTusRequest } from './tus-bridge.ts';

/** As they are made below: account and upload. */
const uploadId = /^[0-9a-f-]{36}_[0-9a-f-]{36}$/;
/** How many requests bring bytes at once; the rest wait unread, since each takes memory. */
const receiving = pLimit(32);
/** How many may wait for their turn; whoever comes then is told to come back. */
const longestQueue = 200;
/** How long a request may still bring bytes once another has asked for its upload. */
const drainMs = 1000;

/** Resumable uploads after tus 1.0; the request that brings the last byte is answered with StoredFile. */
export function uploadRoutes(app: App, deps: Deps, limit: Limit): void {
  const maxBytes = deps.config.maxImageMb * 1024 * 1024;
  const { store, locker } = deps.uploads;
  /** Who makes a request, and what went wrong in it: the tus server's hooks know only the request. */
  const calls = new WeakMap<object, { accountId: string; failure?: unknown }>();

  const tus = new TusServer({
    path: apiRoutes.uploads,
    datastore: store,
    locker,
    lockDrainTimeout: drainMs,
    maxSize: maxBytes,
    relativeLocation: true,
    allowedOrigins: [],
    // The owner is part of the id, so that only they may go on with the upload.
    namingFunction: (request) => `${calls.get(request)?.accountId}_${randomUUID()}`,
    onUploadCreate: async (_request, upload) => {
      if (!Value.Check(ImageUse, upload.metadata?.use)) throw new Refusal('invalid_upload');
      return {};
    },
    onUploadFinish: (_request, upload) => finish(upload),
    onResponseError: (request, failure) => {
      const call = calls.get(request);
      if (call) call.failure = failure;
      return undefined;
    },
  });

  async function finish(upload: Upload) {
    // What is left of an upload when this fails is swept away later.
    const forget = () => store.remove(upload.id).catch(() => {});
    try {
      const row = await store.withFile(upload.id, upload.size ?? 0, (file) =>
        acceptImage(deps, {
          file,
          fileName: upload.metadata?.filename ?? '',
          use: Value.Parse(ImageUse, upload.metadata?.use),
          accountId: upload.id.slice(0, upload.id.lastIndexOf('_')),
        }),
      );
      await forget();
      deps.metrics.uploads.inc({ outcome: 'accepted' });
      const body = JSON.stringify(toStoredFile(row, deps.images));
      return { status_code: 200, headers: { 'content-type': 'application/json' }, body };
    } catch (error) {
      deps.metrics.uploads.inc({ outcome: error instanceof Refusal ? error.code : 'failed' });
      // Where nothing speaks against the picture itself, it can still be taken in later.
      if (error instanceof Refusal && error.code !== 'unavailable') await forget();
      throw error;
    }
  }

  async function handle(request: FastifyRequest, reply: FastifyReply) {
    const call: { accountId: string; failure?: unknown } = { accountId: callerOf(request).id };
    const { id } = request.params as { id?: string };
    if (id !== undefined && !(id.startsWith(`${call.accountId}_`) && uploadId.test(id))) {
      throw new Refusal('upload_not_found');
    }
    refuseTooLarge(Number(request.headers['upload-length']));
    if (receiving.pendingCount >= longestQueue) {
      throw new Refusal('busy', { headers: { 'retry-after': '10' } });
    }
    const tusRequest = toTusRequest(request);
    calls.set(tusRequest, call);
    const response = await receiving(() => tus.handleWeb(tusRequest));
    // A client that is still sending would not read the answer otherwise.
    if (!request.raw.complete) reply.header('connection', 'close');
    if (call.failure instanceof Error) throw call.failure;
    if (response.status >= 400) throw refusalForStatus(response.status);
    return reply.send(response);
  }

  function refuseTooLarge(bytes: number): void {
    if (!(bytes > maxBytes)) return;
    const { maxImageMb } = deps.config;
    const megabytes = Math.ceil(bytes / 1024 / 1024);
    throw new Refusal('too_large', {
      detail: `La imagen pesa ${megabytes} MB; el máximo es ${maxImageMb} MB.`,
    });
  }

  // A slow upload would hold the stop up, and can go on at another process or after it.
  app.addHook('preClose', async () => locker.letGo());

  app.register(async (scope) => {
    // The bytes go straight to the file; nothing parses them on the way.
    scope.addContentTypeParser('application/offset+octet-stream', (_request, _payload, done) =>
      done(null),
    );
    const guarded = {
      onRequest: requireSession(deps),
      schema: {
        tags: ['images'],
        summary: 'Subir una imagen por partes (protocolo tus 1.0)',
        security: [{ bearer: [] }],
      },
    };
    scope.post(apiRoutes.uploads, { ...guarded, preHandler: limit('upload') }, handle);
    scope.route({
      method: ['HEAD', 'PATCH', 'DELETE'],
      url: apiRoutes.upload(':id'),
      ...guarded,
      handler: handle,
    });
  });
}
