import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { FileStore } from '@tus/file-store';
import { Server as TusServer, type Upload } from '@tus/server';
import { Value } from 'typebox/value';
import { ImageUse } from '../../shared/images.ts';
import { apiRoutes } from '../../shared/routes.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import { acceptImage } from './accept-image.ts';
import { toStoredFile } from './image-queries.ts';
import { refusalForStatus, type TusRequest } from './tus-bridge.ts';
import { uploadFolder } from './upload-folder.ts';

/** Answers one request of the protocol for that account. @throws Refusal, or what failed */
type AnswerTus = (request: TusRequest, accountId: string) => Promise<Response>;

/** The tus server. It brings the decoders along, so it is loaded with the first upload only. */
export function openTusServer(deps: Deps, maxBytes: number): AnswerTus {
  const store = new FileStore({ directory: uploadFolder(deps.config) });
  /** Who makes a request, and what went wrong in it: the tus server's hooks know only the request. */
  const calls = new WeakMap<object, { accountId: string; failure?: unknown }>();

  const tus = new TusServer({
    path: apiRoutes.uploads,
    datastore: store,
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
    try {
      const row = await acceptImage(deps, {
        file: path.join(store.directory, upload.id),
        fileName: upload.metadata?.filename ?? '',
        use: Value.Parse(ImageUse, upload.metadata?.use),
        accountId: upload.id.slice(0, upload.id.lastIndexOf('_')),
      });
      deps.metrics?.uploads.inc({ outcome: 'accepted' });
      const body = JSON.stringify(toStoredFile(row, deps.images));
      return { status_code: 200, headers: { 'content-type': 'application/json' }, body };
    } catch (error) {
      deps.metrics?.uploads.inc({ outcome: error instanceof Refusal ? error.code : 'failed' });
      throw error;
    } finally {
      await store.remove(upload.id);
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
