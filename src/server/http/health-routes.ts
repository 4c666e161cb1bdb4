import { sql } from 'kysely';
import Type from 'typebox';
import { Problem } from '../../shared/errors.ts';
import type { Database } from '../database/tables.ts';
import { requireProgram } from '../system/installation.ts';
import { buildName } from '../system/version.ts';
import { ApiError, unavailableError } from './api-error.ts';
import type { App } from './app-type.ts';

/** How long a result of `/readyz?all` is reused. Anybody can request it, and each check sends a request to the bucket. */
const resultMs = 5000;

/** A part of the site that does not work, and why. */
export interface Fault {
  part: 'program' | 'database' | 'images' | 'disk' | 'backup';
  cause: unknown;
}

/** Checks implemented in operation/. */
export interface HealthChecks {
  /** @returns an empty list when all is well */
  findFaults: () => Promise<Fault[]>;
  /** @returns null when there is no complete daily backup */
  readLastBackup: () => Promise<{ madeAt: string } | null>;
}

const ok = Type.Object({ status: Type.Literal('ok') });
const alive = Type.Object({
  ...ok.properties,
  version: Type.Optional(
    Type.String({ description: 'Versión de tertulia, para quien no llega por un proxy.' }),
  ),
});
const ready = Type.Object({
  ...ok.properties,
  lastBackup: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description:
        'Con `all`: hora (ISO) de la última copia diaria de este sitio que se comprobó y está completa.',
    }),
  ),
});

const faultTexts: Record<Fault['part'], string> = {
  program:
    'Faltan archivos del programa: hay que volver a arrancar el servidor, o instalarlo otra vez.',
  database: 'La base de datos no responde, no admite cambios o no avisa de ellos.',
  images: 'El almacén de imágenes no responde.',
  disk: 'El disco está casi lleno o no admite escrituras.',
  backup: 'Falta una copia diaria completa de los últimos dos días.',
};

/** @param closing aborted when the server begins to close; the health routes respond with 503 from then on */
export function healthRoutes(
  app: App,
  { db, health }: { db: Database; health: HealthChecks },
  closing: AbortSignal,
): void {
  const tags = ['health'];
  const askDatabase = shared(() => sql`select 1 from site where id = 1`.execute(db), 0);
  const findFaults = shared(async () => {
    const faults = await health.findFaults();
    for (const { part, cause } of faults) app.log.warn({ err: cause }, `${part}: not well`);
    return faults;
  }, resultMs);

  app.get(
    '/healthz',
    {
      config: { moves: 'health' },
      schema: {
        tags,
        summary: 'El proceso está en marcha y no se está parando',
        response: { 200: alive, '5xx': Problem },
      },
    },
    async ({ headers }) => {
      // A proxy that asks here sends the next requests to another process, or holds them until the next start.
      if (closing.aborted) throw unavailableError();
      return {
        status: 'ok' as const,
        // Visitors come through the proxy, which adds this header.
        ...(headers['x-forwarded-for'] === undefined && { version: buildName() }),
      };
    },
  );

  app.get(
    '/readyz',
    {
      config: { moves: 'health' },
      schema: {
        tags,
        summary: 'Este proceso puede servir páginas; con `?all`, todo está bien',
        description:
          'Sin `all` es para el proxy: la base de datos responde, los archivos del programa están y el ' +
          'proceso no se está parando. Con `all` es para las alarmas: además se admiten y se avisan los cambios, las imágenes responden, ' +
          'hay sitio en el disco y la última copia completa es reciente. Un 503 nombra en `errors` lo que ' +
          `no está bien. Eso se comprueba como mucho cada ${resultMs / 1000} segundos.`,
        querystring: Type.Object({ all: Type.Optional(Type.String({ maxLength: 10 })) }),
        response: { 200: ready, '5xx': Problem },
      },
    },
    async ({ query }) => {
      if (closing.aborted) throw unavailableError();
      if (query.all === undefined) {
        await Promise.all([askDatabase(), requireProgram()]).catch(() => {
          throw unavailableError();
        });
        return { status: 'ok' as const };
      }
      const parts = new Set((await findFaults()).map(({ part }) => part));
      const errors = [...parts].map((field) => ({ field, message: faultTexts[field] }));
      if (errors.length > 0) {
        throw new ApiError('unavailable', { errors, headers: { 'retry-after': '5' } });
      }
      const last = await health.readLastBackup();
      return { status: 'ok' as const, lastBackup: last?.madeAt ?? null };
    },
  );
}

/** @returns a function whose callers share one run of the work, and its result for `keepMs` after it ended */
function shared<T>(work: () => Promise<T>, keepMs: number): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= work().finally(() => {
      setTimeout(() => {
        running = undefined;
      }, keepMs).unref();
    });
    return running;
  };
}
