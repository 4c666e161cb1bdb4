import Type from 'typebox';
import { Problem } from '../../shared/errors.ts';
import { readLastBackup } from '../backups/last-backup.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/tables.ts';
import { unavailableError } from '../http/api-error.ts';
import type { App } from '../http/app-type.ts';
import type { ImageStore } from '../images/stores/image-store.ts';
import type { LiveBus } from '../live/bus/live-bus.ts';
import { version } from '../version.ts';
import { readinessCheck } from './readiness.ts';

const ok = Type.Object({ status: Type.Literal('ok') });
const alive = Type.Object({
  ...ok.properties,
  version: Type.String({ description: 'Versión de tertulia.' }),
});
const ready = Type.Object({
  ...ok.properties,
  lastBackup: Type.Union([Type.String(), Type.Null()], {
    description:
      'Hora (ISO) de la última copia diaria de este sitio que se comprobó y está completa.',
  }),
});

/** @param closing aborted when the server begins to close; `/readyz` answers 503 from then on */
export function healthRoutes(
  app: App,
  services: {
    db: Database;
    images: ImageStore;
    live: LiveBus;
    config: Config;
    siteIdentity: string;
  },
  closing: AbortSignal,
): void {
  const requireReady = readinessCheck(services);
  const tags = ['health'];

  app.get(
    '/healthz',
    {
      schema: { tags, summary: 'El proceso está en marcha', response: { 200: alive } },
    },
    async () => ({ status: 'ok' as const, version }),
  );

  app.get(
    '/readyz',
    {
      schema: {
        tags,
        summary:
          'La base de datos y el disco admiten escrituras, los cambios se avisan y las imágenes responden; se comprueba como mucho cada 5 segundos',
        response: { 200: ready, '5xx': Problem },
      },
    },
    async (request) => {
      if (closing.aborted) throw unavailableError();
      try {
        await requireReady();
      } catch (error) {
        request.log.warn({ err: error }, 'not ready');
        throw unavailableError();
      }
      const last = await readLastBackup(services);
      return { status: 'ok' as const, lastBackup: last?.madeAt ?? null };
    },
  );
}
