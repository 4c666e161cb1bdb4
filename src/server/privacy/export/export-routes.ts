import { finished } from 'node:stream';
import Type from 'typebox';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { Problem } from '../../../shared/errors.ts';
import { limits } from '../../../shared/limits.ts';
import { callerOf } from '../../accounts/sessions/session-guard.ts';
import { type Database, toInstant } from '../../database/tables.ts';
import { unavailableError } from '../../http/api-error.ts';
import type { App } from '../../http/app-type.ts';
import { createLimit } from '../../http/limits/bounded-queue.ts';
import type { ImageStore } from '../../images/stores/image-store.ts';
import type { DatabaseSettings } from '../../system/settings/config.ts';
import { readImage } from './exported-images.ts';
import { closeAll, takeSnapshot } from './snapshot.ts';
import { writeZip } from './write-zip.ts';

const tags = ['accounts'];

interface ExportServices {
  db: Database;
  now: () => number;
  config: DatabaseSettings;
  images: ImageStore;
}

const zip = 'application/zip';

/** Limits concurrent copies of an account's rows, since each reads everything that the account wrote. */
const copying = createLimit(2);

/** Route to download everything that the account wrote and uploaded, as a ZIP. */
export function exportRoutes(app: App, services: ExportServices): void {
  const { now } = services;

  app.get(
    apiRoutes.export,
    {
      schema: {
        tags,
        summary: `Todo lo que la cuenta ha escrito y subido, en un ZIP; como mucho, ${limits.exportsPerDay} veces al día`,
        response: {
          200: {
            description:
              'El ZIP: un archivo de líneas JSON para cada tabla con datos de la cuenta, y las imágenes en `imagenes/`.',
            headers: { 'Content-Disposition': Type.String({ description: 'Con un nombre.' }) },
            content: { [zip]: { schema: Type.Unknown() } },
          },
          '4xx': Problem,
        },
      },
    },
    async (request, reply) => {
      const { id } = callerOf(request);
      if (request.method === 'HEAD') return reply.type(zip).send('');
      await request.count('export');
      const left = new AbortController();
      let close = () => {};
      finished(reply.raw, () => {
        // The client has disconnected, so use an error that is not logged.
        left.abort(unavailableError());
        close();
      });
      const snapshot = await copying(() => takeSnapshot(services, id, left.signal));
      const { stream, stop } = writeZip(
        snapshot,
        (image) => readImage(services.images, image),
        now(),
      );
      close = () => {
        stop();
        void closeAll(snapshot.files);
      };
      if (left.signal.aborted) close();
      const date = toInstant(now()).slice(0, 10);
      return reply
        .type(zip)
        .header('content-disposition', `attachment; filename="tertulia-${date}.zip"`)
        .send(stream);
    },
  );
}
