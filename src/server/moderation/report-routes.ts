import Type from 'typebox';
import { apiRoutes } from '../../shared/api-routes.ts';
import { Problem } from '../../shared/errors.ts';
import { NewReport, Receipt, ReportState } from '../../shared/moderation.ts';
import type { Database } from '../database/tables.ts';
import type { Transact } from '../database/transactions.ts';
import type { App } from '../http/app-type.ts';
import { addressKey } from '../limits/address-key.ts';
import { parseReport, readReport, reportContent } from './report-content.ts';

const tags = ['moderation'];

/** Routes to report content and people, with or without a session, and to ask for the outcome. */
export function reportRoutes(
  app: App,
  services: { db: Database; transact: Transact; now: () => number },
): void {
  app.post(
    apiRoutes.reports,
    {
      schema: {
        tags,
        summary: 'Denunciar un comentario, un canal o a una persona, también sin cuenta',
        description:
          'El id de un comentario es `<canal>-<número>`. Sin cuenta, `illegal` lleva también `text`, `name`, ' +
          '`email` y `goodFaith: true`. Quien repite recibe el primer justificante.',
        body: NewReport,
        response: { 202: Receipt, '4xx': Problem },
      },
    },
    async (request, reply) => {
      const accountId = request.session?.user.id ?? null;
      const report = parseReport(request.body, accountId === null);
      const reporter = { accountId, addressKey: addressKey(request.ip) };
      const receipt = await reportContent(services, reporter, report);
      return reply.code(202).send({ receipt });
    },
  );

  app.get(
    apiRoutes.report(':receipt'),
    {
      schema: {
        tags,
        summary: 'Qué ha sido de una denuncia, hasta 30 días después de la decisión',
        params: Type.Object({ receipt: Type.String() }),
        response: { 200: ReportState, '4xx': Problem },
      },
    },
    (request, reply) => {
      reply.header('cache-control', 'private, no-store');
      return readReport(services.db, request.params.receipt);
    },
  );
}
