import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { SignIn } from '../../../shared/account-settings.ts';
import {
  Profile,
  SetPassword,
  SignedIn,
  SignUp,
  UpdateImage,
  User,
} from '../../../shared/accounts.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { Problem } from '../../../shared/errors.ts';
import { limits } from '../../../shared/limits.ts';
import { Nullable } from '../../../shared/schema.ts';
import type { Config } from '../../config/config.ts';
import type { Transact } from '../../database/transactions.ts';
import { ApiError } from '../../http/api-error.ts';
import type { App } from '../../http/app-type.ts';
import { FieldParser } from '../../http/field-parser.ts';
import { imageOrigins, isSiteOrigin } from '../../http/site-origin.ts';
import { toSiteUrl } from '../../images/image-queries.ts';
import type { ImageStore } from '../../images/stores/image-store.ts';
import type { LiveBus } from '../../live/bus/live-bus.ts';
import { addressKey } from '../../overload/address-key.ts';
import { emailKey } from '../email-key.ts';
import { parseName } from '../parse-name.ts';
import type { PasswordTries } from '../passwords/password-tries.ts';
import { hashPassword } from '../passwords/passwords.ts';
import { requirePasswordLink, usePasswordLink } from '../recovery/password-links.ts';
import { browserName } from '../sessions/browser-name.ts';
import { deviceCookie } from '../sessions/device-cookie.ts';
import {
  callerOf,
  refuseOtherId,
  requireSession,
  type SessionServices,
  sessionOf,
} from '../sessions/session-guard.ts';
import { endSession } from '../sessions/sessions.ts';
import { insertAccount, readProfile, updateImage } from './account-queries.ts';
import { parseBasic } from './basic-credentials.ts';
import { signIn } from './sign-in.ts';

const tags = ['accounts'];
const bearer = { tags, security: [{ bearer: [] }] };

interface AccountServices extends SessionServices {
  transact: Transact;
  live: LiveBus;
  images: ImageStore;
  config: Pick<Config, 'sessionDays' | 'publicUrl' | 's3'>;
}

export function accountRoutes(
  app: App,
  services: AccountServices,
  passwordTries: PasswordTries,
): void {
  const { db, transact, now, config } = services;
  const guard = requireSession(services);

  const parseImage = async (request: FastifyRequest, fields: FieldParser, img: string) =>
    fields.imageUrl('img', await toSiteUrl(services, img), imageOrigins(request, config));

  app.post(
    apiRoutes.signUp,
    {
      schema: {
        tags,
        summary: 'Crear una cuenta',
        body: SignUp,
        response: { 201: User, '4xx': Problem },
      },
      config: { budget: 'signUp' },
    },
    async (request, reply) => {
      const fields = new FieldParser();
      const name = parseName(fields, request.body.name);
      const email = fields.email('email', request.body.email);
      const password = fields.password('password', request.body.password);
      const img = request.body.img ? await parseImage(request, fields, request.body.img) : null;
      fields.done();
      const passwordHash = await hashPassword(password, addressKey(request.ip));
      const account = { name, email, passwordHash, img };
      const user = await transact(`e-mail ${emailKey(email)}`, (trx) =>
        insertAccount(trx, account, now()),
      );
      return reply.code(201).header('cache-control', 'private, no-store').send(user);
    },
  );

  app.post(
    apiRoutes.signIn,
    {
      schema: {
        tags,
        summary: 'Iniciar sesión con correo y contraseña (Basic)',
        description:
          'El cuerpo es opcional. Con `remember`, y solo desde las páginas del propio foro, el navegador recibe una cookie con la que `POST /api/auth/resume` abre más sesiones.',
        security: [{ basic: [] }],
        body: Nullable(SignIn),
        response: { 200: SignedIn, '4xx': Problem },
      },
      config: { budget: 'signIn' },
    },
    async (request, reply) => {
      const given = parseBasic(request.headers.authorization);
      if (!given || Buffer.byteLength(given.password) > limits.passwordBytes) {
        throw new ApiError('wrong_credentials');
      }
      // Other sites can neither set nor clear the cookie of a remembered browser.
      const isOwn = isSiteOrigin(request, config.publicUrl);
      const cookie = isOwn ? deviceCookie(request, config.publicUrl) : undefined;
      const caller = addressKey(request.ip);
      const { device, ...signedIn } = await passwordTries.count(
        { email: given.email, address: caller },
        () =>
          signIn(services, {
            ...given,
            caller,
            browser: browserName(request.headers['user-agent']),
            isRemembered: cookie !== undefined && request.body?.remember === true,
          }),
      );
      if (device) cookie?.set(reply, device.value, device.maxAgeMs);
      // Clear the cookie of the person who was remembered before.
      else cookie?.clear(reply);
      return reply.header('cache-control', 'private, no-store').send(signedIn);
    },
  );

  app.post(
    apiRoutes.signOut,
    {
      onRequest: guard,
      config: { budget: 'write' },
      schema: {
        ...bearer,
        summary: 'Cerrar la sesión: el token deja de valer, y el navegador deja de recordarla',
        response: { 204: Type.Null(), '4xx': Problem },
      },
    },
    async (request, reply) => {
      const session = sessionOf(request);
      await transact(`account ${session.user.id}`, (trx) => endSession(trx, session));
      return reply.code(204).send(null);
    },
  );

  app.post(
    apiRoutes.setPassword,
    {
      schema: {
        tags,
        summary: 'Poner una contraseña nueva con un enlace de un solo uso',
        description:
          'Cierra todas las sesiones; los códigos de recuperación y las claves de acceso dejan de valer.',
        body: SetPassword,
        response: { 204: Type.Null(), '4xx': Problem },
      },
      config: { budget: 'signIn' },
    },
    async (request, reply) => {
      const fields = new FieldParser();
      const password = fields.password('password', request.body.password);
      fields.done();
      const { token } = request.body;
      const accountId = await requirePasswordLink(db, token, now());
      const address = addressKey(request.ip);
      const hash = await hashPassword(password, address);
      const { email } = await usePasswordLink(services, { token, accountId }, hash);
      await passwordTries.reset({ email, address });
      return reply.code(204).header('cache-control', 'private, no-store').send(null);
    },
  );

  app.get(
    apiRoutes.me,
    {
      onRequest: guard,
      config: { budget: 'personal' },
      schema: {
        ...bearer,
        summary: 'La cuenta de quien llama',
        response: { 200: Profile, '4xx': Problem },
      },
    },
    (request) => readProfile(db, callerOf(request)),
  );

  app.put(
    apiRoutes.updateImage,
    {
      onRequest: guard,
      config: { budget: 'changeImage' },
      schema: {
        ...bearer,
        summary: 'Cambiar la foto de perfil',
        body: UpdateImage,
        response: { 200: User, '4xx': Problem },
      },
    },
    async (request) => {
      const caller = callerOf(request);
      const { id, email, img } = request.body;
      refuseOtherId(caller, id);
      if (email !== undefined && emailKey(email) !== emailKey(caller.email)) {
        throw new ApiError('not_yours');
      }
      const fields = new FieldParser();
      const isSame = !img || img === caller.img;
      const newImg = isSame ? img || null : await parseImage(request, fields, img);
      fields.done();
      await updateImage(services, caller.id, newImg, now());
      return { ...caller, img: newImg };
    },
  );
}
