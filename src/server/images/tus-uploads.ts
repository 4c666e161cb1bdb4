import { randomUUID } from 'node:crypto';
import { Server as TusServer, type Upload } from '@tus/server';
import { Value } from 'typebox/value';
import { ImageUse } from '../../shared/images.ts';
import { limits } from '../../shared/limits.ts';
import { apiRoutes } from '../../shared/routes.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import { acceptImage } from './accept-image.ts';
import { toStoredFile } from './image-queries.ts';
import { refusalForStatus, type TusRequest } from './tus-bridge.ts';

/** How long a request may still bring bytes once another has asked for its upload. */
const drainMs = 1000;

/** Answers one request of the protocol for that account. @throws Refusal, or what failed */
type AnswerTus = (request: TusRequest, accountId: string) => Promise<Response>;

/** The tus server. It brings the decoders along, so it is loaded with the first upload only. */
export async function openTusServer(deps: Deps, maxBytes: number): Promise<AnswerTus> {
  const store = await deps.uploads.store();
  /** Who makes a request, and what went wrong in it: the tus server's hooks know only the request. */
  const calls = new WeakMap<object, { accountId: string; failure?: unknown }>();

  const tus = new TusServer({
    path: apiRoutes.uploads,
    datastore: store,
    locker: deps.uploads.locker,
    lockDrainTimeout: drainMs,
    maxSize: maxBytes,
    relativeLocation: true,
    allowedOrigins: [],
    // The owner is part of the id, so that only they may go on with the upload.
    namingFunction: (request) => `${calls.get(request)?.accountId}_${randomUUID()}`,
    onUploadCreate: async (_request, upload) => {
      if (!Value.Check(ImageUse, upload.metadata?.use)) throw new Refusal('invalid_upload');
      if ((upload.metadata.filename?.length ?? 0) > limits.fileNameChars) {
        const detail = 'El nombre del archivo es demasiado largo. Acórtalo y vuelve a elegirlo.';
        throw new Refusal('invalid_upload', { detail });
      }
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
      deps.metrics?.uploads.inc({ outcome: 'accepted' });
      const body = JSON.stringify(toStoredFile(row, deps.images));
      return { status_code: 200, headers: { 'content-type': 'application/json' }, body };
    } catch (error) {
      deps.metrics?.uploads.inc({ outcome: error instanceof Refusal ? error.code : 'failed' });
      // Where nothing speaks against the picture itself, it can still be taken in later.
      if (error instanceof Refusal && error.code !== 'unavailable') await forget();
      throw error;
    }
  }

  return async (request, accountId) => {
    const call: { accountId: string; failure?: unknown } = { accountId };
    calls.set(request, call);
    const response = await tus.handleWeb(request);
    if (call.failure instanceof Error) throw call.failure;
    if (response.status >= 400) throw refusalForStatus(response.status);
    return response;
  };
}
