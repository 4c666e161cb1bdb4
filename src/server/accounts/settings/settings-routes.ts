import { AccountEdit } from '../../../shared/account-settings.ts';
import { User } from '../../../shared/accounts.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { Problem } from '../../../shared/errors.ts';
import type { Config } from '../../config/config.ts';
import type { Transact } from '../../database/transactions.ts';
import type { App } from '../../http/app-type.ts';
import { FieldParser } from '../../http/field-parser.ts';
import { isSiteOrigin } from '../../http/site-origin.ts';
import type { LiveBus } from '../../live/bus/live-bus.ts';
import { addressKey } from '../../overload/address-key.ts';
import { parseName } from '../parse-name.ts';
import { requireCurrentPassword } from '../passwords/current-password.ts';
import { hashPassword } from '../passwords/passwords.ts';
import { deviceCookie } from '../sessions/device-cookie.ts';
import { requireSession, type SessionServices, sessionOf } from '../sessions/session-guard.ts';
import { editAccount } from './edit-account.ts';

interface SettingsServices extends SessionServices {
  transact: Transact;
  live: LiveBus;
  config: Pick<Config, 'sessionDays' | 'publicUrl'>;
}

/** Routes by which owners change their name, e-mail address and password. */
export function settingsRoutes(app: App, services: SettingsServices): void {
  app.patch(
    apiRoutes.me,
    {
      onRequest: requireSession(services),
      config: { budget: 'confirmPassword' },
      schema: {
        tags: ['accounts'],
        security: [{ bearer: [] }],
        summary: 'Cambiar el nombre, el correo o la contraseña',
        description:
          'El nombre, una vez al día. Una contraseña nueva cierra las demás sesiones, también las de otras pestañas de un navegador que mantiene la suya, que recibe otra cookie; con ella dejan de valer los códigos de recuperación y el enlace para poner otra; las claves de acceso siguen valiendo.',
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
      const caller = addressKey(request.ip);
      const { id } = session.user;
      const currentHash = await requireCurrentPassword(
        services.db,
        id,
        given.currentPassword,
        caller,
      );
      const passwordHash =
        password === undefined ? undefined : await hashPassword(password, caller);
      const change = { name, email, passwordHash };
      const { user, device } = await editAccount(services, session, change, currentHash);
      const { publicUrl } = services.config;
      if (device && isSiteOrigin(request, publicUrl)) {
        deviceCookie(request, publicUrl)?.set(reply, device.value, device.maxAgeMs);
      }
      return user;
    },
  );
}
