import Type from 'typebox';
import { apiRoutes } from '../../shared/api-routes.ts';
import { Problem } from '../../shared/errors.ts';
import { limits } from '../../shared/limits.ts';
import { MovingIn, StartImport } from '../../shared/moving-in.ts';
import { Id } from '../../shared/schema.ts';
import { actorOf } from '../accounts/actor.ts';
import { callerOf } from '../accounts/sessions/session-guard.ts';
import { ApiError } from '../http/api-error.ts';
import type { App } from '../http/app-type.ts';
import { OperatorError } from '../system/operator-error.ts';
import { type ImportRequest, type ImportServices, importChat } from './import-chat.ts';
import { cancelImports, findDecided, listImports } from './list-imports.ts';
import { lookAtChat } from './look-at-chat.ts';
import { checkPlan } from './plan.ts';
import { undoImport } from './undo-import.ts';
import {
  eraseUploadedChat,
  findUploadedChat,
  requireUploadedChat,
  type UploadedChat,
} from './uploaded-chat.ts';

const tags = ['moderation'];

/** Routes with which admins look at an uploaded chat, bring it, stop that, and take it back. */
export function movingInRoutes(app: App, services: ImportServices): void {
  const { db, config, now } = services;
  const closing = new AbortController();
  let running: Promise<void> = Promise.resolve();
  app.addHook('preClose', async () => closing.abort());
  // The import ends its batch before the database is closed.
  app.addHook('onClose', () => running);

  /** The summary of the last file, which takes a second for each 100,000 messages. */
  let looked: { key: string; found: ReturnType<typeof lookAtChat> } | undefined;
  async function look(upload: UploadedChat) {
    const key = [upload.name, upload.bytes, upload.erasedAtMs].join();
    if (looked?.key !== key) looked = { key, found: lookAtChat(db, upload.file, now()) };
    return looked.found;
  }

  const describe = async (): Promise<MovingIn> => {
    const upload = await findUploadedChat(config);
    const found = upload && (await look(upload));
    const imports = await listImports(db, now());
    if (!upload || !found) return { upload: null, imports };
    const { name, bytes, erasedAtMs } = upload;
    const erasedAt = new Date(erasedAtMs).toISOString();
    const decided = found.summary && (await findDecided(db, found.summary.people));
    const plan = decided ?? found.plan;
    return { upload: { name, bytes, erasedAt, ...found, plan }, imports };
  };

  /** Resolves once the channel is there, and goes on. */
  function start(upload: UploadedChat, request: ImportRequest): Promise<void> {
    const begun = Promise.withResolvers<void>();
    const brought = importChat(services, { ...request, onProgress: () => begun.resolve() })
      .then(async ({ isDone }) => {
        if (isDone) await eraseUploadedChat(config, upload);
      })
      .catch((error: unknown) => {
        app.log.error({ err: error }, 'bringing a chat failed');
        begun.reject(error);
      });
    running = Promise.all([running, brought]).then(() => {});
    return begun.promise;
  }

  app.get(
    apiRoutes.movingIn,
    {
      schema: {
        tags,
        summary: 'El chat que se subió para traerlo, y los que se trajeron o se están trayendo',
        description: `Un chat se sube a \`${apiRoutes.uploads}\` con el uso \`import\`. Nadie más lo ve, y se borra al traerlo o a las ${limits.importHours} horas.`,
        response: { 200: MovingIn, '4xx': Problem },
      },
    },
    describe,
  );

  app.post(
    apiRoutes.movingIn,
    {
      schema: {
        tags,
        summary: 'Traer el chat subido',
        description:
          'A un canal cerrado con ese nombre. Si ya hay uno que se trajo y sigue cerrado, se le añade lo nuevo, o se sigue donde se quedó.',
        body: StartImport,
        response: { 202: MovingIn, '4xx': Problem },
      },
    },
    async (request, reply) => {
      const plan = checkPlan(request.body.plan);
      const upload = await requireUploadedChat(config);
      const { signal } = closing;
      const { file } = upload;
      await start(upload, { file, plan, adminId: callerOf(request).id, signal }).catch(refuse);
      return reply.code(202).send(await describe());
    },
  );

  app.delete(
    apiRoutes.movingIn,
    {
      schema: {
        tags,
        summary: 'Dejar de traer un chat, y borrar el archivo subido',
        description: 'Lo que ya se trajo se queda en su canal. Al subirlo otra vez, sigue.',
        response: { 204: Type.Null(), '4xx': Problem },
      },
    },
    async (_request, reply) => {
      await cancelImports(db, now());
      await eraseUploadedChat(config);
      return reply.code(204).send(null);
    },
  );

  app.delete(
    apiRoutes.movedIn(':id'),
    {
      schema: {
        tags,
        summary: 'Deshacer: borrar del todo un canal que se trajo, y a sus personas',
        description: 'Mientras en él no haya escrito nadie más.',
        params: Type.Object({ id: Id() }),
        response: { 204: Type.Null(), '4xx': Problem },
      },
    },
    async (request, reply) => {
      await undoImport(actorOf(services, request), request.params.id);
      return reply.code(204).send(null);
    },
  );
}

/** Answers with what is wrong with a file or its plan. */
function refuse(error: unknown): never {
  if (error instanceof OperatorError)
    throw new ApiError('unusable_chat', { detail: error.message, cause: error });
  throw error;
}
