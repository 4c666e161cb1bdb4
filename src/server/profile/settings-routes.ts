import { AccountEdit } from '../../shared/account-settings.ts';
import { Profile, UpdateImage, User } from '../../shared/accounts.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import { Problem } from '../../shared/errors.ts';
import { parseName } from '../accounts/names.ts';
import { requireCurrentPassword } from '../accounts/passwords/current-password.ts';
import { hashPassword } from '../accounts/passwords/passwords.ts';
import { refuseWeakPassword } from '../accounts/passwords/weak-password.ts';
import { callerOf, refuseOtherId, sessionOf } from '../accounts/sessions/session-guard.ts';
import { deviceCookie } from '../accounts/sessions/site-cookies.ts';
import type { Database } from '../database/tables.ts';
import type { WithTransaction } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import type { App } from '../http/app-type.ts';
import { FieldParser, withoutSignature } from '../http/field-parser.ts';
import { imageOrigins, isSiteOrigin } from '../http/site-origin.ts';
import { viewableUrl } from '../images/signed-urls.ts';
import { emailKey } from '../mail/email-key.ts';
import type { Config } from '../system/settings/config.ts';
import { editAccount } from './edit-account.ts';
import { readProfile, updateAvatar } from './profile.ts';

const tags = ['accounts'];

interface SettingsServices {
  db: Database;
  now: () => number;
  withTransaction: WithTransaction;
  config: Pick<Config, 'publicUrl' | 'mail'>;
}

/** Routes for owners to read their account and change its avatar, name, e-mail address and password. */
export function settingsRoutes(app: App, services: SettingsServices): void {
  const { db, now, config } = services;

  app.get(
    apiRoutes.me,
    { schema: { tags, summary: 'La propia cuenta', response: { 200: Profile, '4xx': Problem } } },
    (request) => readProfile(db, callerOf(request), now()),
  );

  app.put(
    apiRoutes.updateImage,
    {
      schema: {
        tags,
        summary: 'Cambiar la foto de perfil',
        body: UpdateImage,
        response: { 200: User, '4xx': Problem },
      },
    },
    async (request) => {
      const caller = callerOf(request);
      const { id, email } = request.body;
      const img = request.body.img && withoutSignature(request.body.img);
      const fields = new FieldParser();
      const isSame = !img || img === caller.img;
      const newImg = isSame
        ? img || null
        : fields.imageUrl('img', img, imageOrigins(request, config));
      fields.done();
      refuseOtherId(caller, id);
      if (email !== undefined && emailKey(email) !== emailKey(caller.email)) {
        throw new ApiError('not_yours');
      }
      await updateAvatar(services, caller.id, newImg, now());
      return { ...caller, img: newImg && (await viewableUrl(db, newImg, now())) };
    },
  );

  app.patch(
    apiRoutes.me,
    {
      schema: {
        tags,
        summary: 'Cambiar el nombre, el correo o la contraseña',
        description:
          'El nombre, una vez al día. Una contraseña nueva cierra las demás sesiones, también las de otras pestañas de un navegador que mantiene la suya, que recibe otra cookie. Los códigos de recuperación y el enlace para poner otra contraseña dejan de servir; las llaves de acceso siguen activas.',
        body: AccountEdit,
        response: { 200: User, '4xx': Problem },
      },
    },
    async (request, reply) => {
      const session = sessionOf(request);
      const given = request.body;
      const fields = new FieldParser();
      const name = given.name === undefined ? undefined : parseName(fields, given.name);
      const email = given.email === undefined ? undefined : fields.email('email', given.email);
      const password =
        given.password === undefined ? undefined : fields.password('password', given.password);
      fields.done();
      const { id } = session.user;
      if (given.warn && password !== undefined)
        await refuseWeakPassword(password, [session.user.name, session.user.email]);
      const currentHash = await requireCurrentPassword(db, id, given.currentPassword);
      const isNewAddress = email !== undefined && email !== session.user.email;
      const isMailed = isNewAddress && config.mail !== undefined;
      const isMailLast = isMailed && !(await request.isWithin('confirmation'));
      const passwordHash = password === undefined ? undefined : await hashPassword(password);
      const change = { name, email, passwordHash, isMailLast };
      const { user, device } = await editAccount(services, session, change, currentHash);
      const { publicUrl } = config;
      if (device && isSiteOrigin(request, publicUrl)) {
        deviceCookie(request, publicUrl)?.set(reply, device.value, device.maxAgeMs);
      }
      return user;
    },
  );
}
