import { EVENTS, Server as TusServer, type Upload } from '@tus/server';
import { Value } from 'typebox/value';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { UploadUse } from '../../../shared/images.ts';
import { limits } from '../../../shared/limits.ts';
import { ApiError } from '../../http/api-error.ts';
import { receiveChat, requireImporter } from '../../moving-in/uploaded-chat.ts';
import type { Config } from '../../system/settings/config.ts';
import { acceptUpload, type ImageServices } from '../accept-image.ts';
import { ImageRejected, UploadTooLarge } from '../errors.ts';
import { viewableUrl } from '../signed-urls.ts';
import { toStoredFile } from '../stored-file.ts';
import type { Uploads } from './open-uploads.ts';
import { apiErrorForStatus, type TusRequest } from './tus-bridge.ts';
import { newUploadId, ownerOf } from './upload-id.ts';
import { maxMbOf } from './upload-limits.ts';
import { makeRoom, makeRoomForChat } from './upload-quota.ts';

/** Outcome of a complete upload. A rejected upload cannot be stored as an image of its account. */
type Outcome = 'accepted' | 'rejected' | 'failed';

/** How long a request may continue after another request asked for its upload. */
const drainMs = 1000;

interface Call {
  accountId: string;
  /** Error that a hook or the store threw. */
  failure?: unknown;
  /** The upload that this request creates. */
  uploadId?: string;
  /** Releases the account's creation lock; idempotent. */
  endCreation?: () => Promise<void>;
}

export interface UploadServices extends ImageServices {
  config: Pick<Config, 'accountQuotaMb' | 'dataDir' | 'maxImageMb' | 'maxFileMb' | 'maxImportMb'>;
  uploads: Uploads;
  /** Undefined when metrics are off. */
  metrics: { uploads: { inc(labels: { outcome: Outcome }): void } } | undefined;
}

/** Handles one tus request of an account. @throws ApiError, or the error that a hook or store threw */
type HandleTusRequest = (request: TusRequest, accountId: string) => Promise<Response>;

/** Creates the tus server. Load this module with the first upload, because the tus modules are large. */
export async function openTusServer(
  services: UploadServices,
  maxBytes: number,
): Promise<HandleTusRequest> {
  const store = await services.uploads.store();
  /** Calls by request, because the tus server's hooks receive only the request. */
  const calls = new WeakMap<object, Call>();

  const tus = new TusServer({
    path: apiRoutes.uploads,
    datastore: store,
    locker: services.uploads.locker,
    lockDrainTimeout: drainMs,
    maxSize: maxBytes,
    relativeLocation: true,
    allowedOrigins: [],
    namingFunction: (request) => {
      const call = calls.get(request);
      const id = newUploadId(call?.accountId ?? '');
      if (call) call.uploadId = id;
      return id;
    },
    onUploadCreate: async (request, upload) => {
      const use = upload.metadata?.use;
      if (use !== 'import' && !Value.Check(UploadUse, use)) throw new ApiError('invalid_upload');
      if ((upload.metadata?.filename?.length ?? 0) > limits.fileNameChars) {
        const detail = 'El nombre del archivo es demasiado largo. Acórtalo y vuelve a elegirlo.';
        throw new ApiError('invalid_upload', { detail });
      }
      const accountId = ownerOf(upload.id);
      const endCreation = await beginCreation(accountId);
      const call = calls.get(request);
      if (call) call.endCreation = endCreation;
      const most = maxMbOf(services.config, use) * 1024 * 1024;
      if (use === 'import') {
        await requireImporter(services.db, accountId);
        await makeRoomForChat(services, accountId, upload.size ?? most);
      } else await makeRoom(services, accountId, upload.size ?? most, most);
      return {};
    },
    onUploadFinish: (_request, upload) => finish(upload),
    onResponseError: (request, failure) => {
      const call = calls.get(request);
      if (call) call.failure = failure;
      return undefined;
    },
  });

  tus.on(EVENTS.POST_CREATE, (request) => void calls.get(request)?.endCreation?.());

  /** Acquires the account's creation lock in this process. @returns a function that releases it */
  async function beginCreation(accountId: string): Promise<() => Promise<void>> {
    const lock = services.uploads.locker.newLock(accountId);
    await lock.lock(new AbortController().signal, () => {});
    let unlocking: Promise<void> | undefined;
    return () => {
      unlocking ??= lock.unlock();
      return unlocking;
    };
  }

  async function finish(upload: Upload) {
    const file = await store.take(upload.id);
    try {
      const isImport = upload.metadata?.use === 'import';
      const use = isImport ? 'import' : Value.Parse(UploadUse, upload.metadata?.use);
      const maxMb = maxMbOf(services.config, use);
      // Its length may have been declared later than its use.
      if (upload.offset > maxMb * 1024 * 1024) throw new UploadTooLarge(use, upload.offset, maxMb);
      if (use === 'import') {
        await requireImporter(services.db, ownerOf(upload.id));
        await receiveChat(services.config, file, upload.metadata?.filename ?? '');
        await store.discard(upload.id);
        return {};
      }
      const row = await acceptUpload(services, {
        file,
        fileName: upload.metadata?.filename ?? '',
        use,
        accountId: ownerOf(upload.id),
      });
      await store.discard(upload.id);
      services.metrics?.uploads.inc({ outcome: 'accepted' });
      const downloadURL = await viewableUrl(services.db, row.url, services.now());
      const body = JSON.stringify(toStoredFile(row, services.images, downloadURL));
      return { status_code: 200, headers: { 'content-type': 'application/json' }, body };
    } catch (error) {
      const isRejected = error instanceof ImageRejected;
      services.metrics?.uploads.inc({ outcome: isRejected ? 'rejected' : 'failed' });
      // After any other failure the client can retry its last request.
      if (isRejected) await store.discard(upload.id);
      else await store.giveBack(upload.id);
      throw error;
    }
  }

  return async (request, accountId) => {
    const call: Call = { accountId };
    calls.set(request, call);
    const response = await tus.handleWeb(request).finally(() => call.endCreation?.());
    // The client does not receive the upload's URL, so it could not resume it.
    if (response.status >= 400 && call.uploadId) await store.discard(call.uploadId);
    if (call.failure instanceof Error) throw call.failure;
    if (response.status >= 400) throw apiErrorForStatus(response.status);
    return response;
  };
}
