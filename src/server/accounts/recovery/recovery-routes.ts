import Type from 'typebox';
import {
  CreateRecoveryCodes,
  Recover,
  RecoveryCodes,
  RecoveryCodesLeft,
  RecoveryReminder,
} from '../../../shared/account-settings.ts';
import { PasswordSet, SetPassword } from '../../../shared/accounts.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { Problem } from '../../../shared/errors.ts';
import { type Database, toInstant } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { ApiError } from '../../http/api-error.ts';
import type { App } from '../../http/app-type.ts';
import { FieldParser } from '../../http/field-parser.ts';
import { findLinkAccount } from '../../mail/link-tokens.ts';
import type { Config } from '../../system/settings/config.ts';
import { requireCurrentPassword } from '../passwords/current-password.ts';
import type { PasswordTries } from '../passwords/password-tries.ts';
import { hashPassword } from '../passwords/passwords.ts';
import { refuseWeakPassword } from '../passwords/weak-password.ts';
import { callerOf } from '../sessions/session-guard.ts';
import { findLastLink, usePasswordLink } from './password-links.ts';
import { recoverAccount } from './recover-account.ts';
import { mailPasswordLink } from './recover-by-mail.ts';
import { countRecoveryCodes, createRecoveryCodes, takeRecoveryReminder } from './recovery-codes.ts';

const tags = ['accounts'];

/** Routes for single-use codes and links that set a new password. */
export function recoveryRoutes(
  app: App,
  services: {
    db: Database;
    withTransaction: WithTransaction;
    now: () => number;
    config: Pick<Config, 'mail'>;
  },
  passwordTries: PasswordTries,
): void {
  const { db, now, config } = services;

  app.get(
    apiRoutes.recoveryCodes,
    {
      schema: {
        tags,
        summary: 'Cuántos códigos de recuperación quedan',
        response: { 200: RecoveryCodesLeft, '4xx': Problem },
      },
    },
    (request) => countRecoveryCodes(db, callerOf(request).id),
  );

  app.post(
    apiRoutes.recoveryCodes,
    {
      schema: {
        tags,
        summary: 'Crear códigos de recuperación nuevos; los anteriores dejan de servir',
        body: CreateRecoveryCodes,
        response: { 201: RecoveryCodes, '4xx': Problem },
      },
    },
    async (request, reply) => {
      const { id } = callerOf(request);
      const { currentPassword } = request.body;
      const hash = await requireCurrentPassword(db, id, currentPassword);
      const codes = await createRecoveryCodes(services, id, hash);
      return reply.code(201).send({ codes });
    },
  );

  app.post(
    apiRoutes.recoveryReminder,
    {
      schema: {
        tags,
        summary:
          'Qué hay que saber de las contraseñas: que hay códigos de recuperación, una vez por cuenta desde su segundo día, y que alguien dio un enlace para poner una contraseña nueva',
        querystring: Type.Object({
          codes: Type.Optional(
            Type.Boolean({ description: '`false` deja lo de los códigos para otra vez.' }),
          ),
        }),
        response: { 200: RecoveryReminder, '4xx': Problem },
      },
    },
    async (request) => {
      const { id } = callerOf(request);
      const linkMs = await findLastLink(db, id, now());
      return {
        isDue: request.query.codes !== false && (await takeRecoveryReminder(services, id)),
        passwordLinkAt: linkMs === null ? null : toInstant(linkMs),
      };
    },
  );

  app.post(
    apiRoutes.recover,
    {
      schema: {
        tags,
        summary:
          'Poner una contraseña nueva con un código de recuperación, o pedir un enlace por correo',
        description:
          'Con código: cierra todas las sesiones; los demás códigos y las llaves de acceso dejan de servir. Solo con el correo: responde siempre 202, y envía un enlace si una cuenta tiene ese correo confirmado.',
        body: Recover,
        response: { 202: Type.Null(), 204: Type.Null(), '4xx': Problem },
      },
    },
    async (request, reply) => {
      const fields = new FieldParser();
      const email = fields.email('email', request.body.email);
      if (request.body.code === undefined && request.body.password === undefined) {
        fields.done();
        if (!config.mail) throw new ApiError('mail_unavailable');
        // After the response, so that it takes the same time whether or not there is an account.
        reply.raw.once('close', () => {
          mailPasswordLink(services, email, request.addressKey).catch((err) =>
            request.log.error({ err }, 'the mail with a link was not queued'),
          );
        });
        return reply.code(202).header('cache-control', 'private, no-store').send(null);
      }
      const password = fields.password('password', request.body.password ?? '');
      fields.done();
      if (request.body.warn) await refuseWeakPassword(password, [email]);
      // Hash before the code is looked up, so that every failure takes the same time.
      const passwordHash = await hashPassword(password);
      await recoverAccount(services, { email, code: request.body.code ?? '', passwordHash });
      await passwordTries.reset({ email, address: request.addressKey });
      return reply.code(204).header('cache-control', 'private, no-store').send(null);
    },
  );

  app.post(
    apiRoutes.setPassword,
    {
      schema: {
        tags,
        summary: 'Poner una contraseña nueva con un enlace de un solo uso',
        description:
          'Cierra todas las sesiones. Si el enlace llegó por correo, también dejan de servir los códigos de recuperación y las llaves de acceso: 200 dice cuántos, y a qué dirección llegó. 204: el enlace era de quien administra.',
        body: SetPassword,
        response: { 200: PasswordSet, 204: Type.Null(), '4xx': Problem },
      },
    },
    async (request, reply) => {
      const fields = new FieldParser();
      const password = fields.password('password', request.body.password);
      fields.done();
      const { token, warn } = request.body;
      if (warn) await refuseWeakPassword(password, []);
      // Check before the costly hashing.
      const accountId = await findLinkAccount(db, 'password_links', token, now());
      if (accountId === undefined) throw new ApiError('password_link_dead');
      const hash = await hashPassword(password);
      const { user, isMailed, ended } = await usePasswordLink(services, { token, accountId }, hash);
      await passwordTries.reset({ email: user.email, address: request.addressKey });
      reply.header('cache-control', 'private, no-store');
      // A link that an admin created may be opened by somebody who does not know the account's address. With the address
      // and the new password they could sign in.
      return isMailed ? reply.send({ email: user.email, ...ended }) : reply.code(204).send(null);
    },
  );
}
