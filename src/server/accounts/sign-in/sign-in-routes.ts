import { SignIn } from '../../../shared/account-settings.ts';
import { SignedIn, SignUp, User } from '../../../shared/accounts.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { Problem } from '../../../shared/errors.ts';
import { limits } from '../../../shared/limits.ts';
import { Nullable } from '../../../shared/schema.ts';
import { audited } from '../../database/audit-log.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { ApiError } from '../../http/api-error.ts';
import type { App } from '../../http/app-type.ts';
import { FieldParser } from '../../http/field-parser.ts';
import { imageOrigins, isSiteOrigin } from '../../http/site-origin.ts';
import { queueConfirmation } from '../../mail/confirm-email.ts';
import { emailKey } from '../../mail/email-key.ts';
import { findClaimable, giveWords } from '../../moving-in/claims/claimable.ts';
import type { Config } from '../../system/settings/config.ts';
import { takeFounderLink } from '../invitations/founder-link.ts';
import { takeInvitation } from '../invitations/invitations.ts';
import { confirmInvited } from '../invitations/mailed-invitations.ts';
import { parseName } from '../names.ts';
import type { PasswordTries } from '../passwords/password-tries.ts';
import { hashPassword } from '../passwords/passwords.ts';
import { refuseWeakPassword } from '../passwords/weak-password.ts';
import { browserName } from '../sessions/browser-name.ts';
import { openReading } from '../sessions/reading-gate.ts';
import type { SessionServices } from '../sessions/session-guard.ts';
import { deviceCookie } from '../sessions/site-cookies.ts';
import { insertAccount } from './account-queries.ts';
import { parseBasic } from './basic-credentials.ts';
import { requireWayIn } from './registration.ts';
import { signIn } from './sign-in.ts';

const tags = ['accounts'];

interface SignInServices extends SessionServices {
  withTransaction: WithTransaction;
  config: Pick<Config, 'sessionDays' | 'publicUrl' | 'mail'>;
}

export function signInRoutes(
  app: App,
  services: SignInServices,
  passwordTries: PasswordTries,
): void {
  const { now, config } = services;

  app.post(
    apiRoutes.signUp,
    {
      schema: {
        tags,
        summary: 'Crear una cuenta',
        description:
          'En `about`, quien pide entrar dice quién es. Solo se guarda si la cuenta tiene que esperar a que la aprueben, la leen quienes moderan y se borra cuando deciden.',
        body: SignUp,
        response: { 201: User, '4xx': Problem },
      },
    },
    async (request, reply) => {
      const fields = new FieldParser();
      const name = parseName(fields, request.body.name);
      const email = fields.email('email', request.body.email);
      const password = fields.password('password', request.body.password);
      const given = request.body.img;
      const img = given ? fields.imageUrl('img', given, imageOrigins(request, config)) : null;
      const about = fields.optionalText('about', request.body.about ?? '', limits.aboutChars);
      fields.done();
      const { invitation, warn } = request.body;
      if (warn) await refuseWeakPassword(password, [name, email]);
      await requireWayIn(services.db, invitation, email, now());
      const passwordHash = await hashPassword(password);
      const isLast = config.mail !== undefined && !(await request.isWithin('confirmation'));
      const lockKey = `e-mail ${emailKey(email)}`;
      const user = await audited(
        services,
        'founder link',
        lockKey,
        async (trx, changed, announce) => {
          const wayIn = await requireWayIn(trx, invitation, email, now());
          if (wayIn.isFounder) await takeFounderLink(trx, invitation ?? '', now());
          if (wayIn.invitationId !== null) await takeInvitation(trx, wayIn.invitationId, now());
          const account = { name, email, passwordHash, img, about, ...wayIn };
          const user = await insertAccount(trx, account, now());
          if (wayIn.isFounder) {
            changed('make-admin', user.id);
            // Pages no longer say that the site waits for its founder.
            await announce({ kind: 'profile', accountId: user.id });
          }
          const { invitationId } = wayIn;
          const person = !wayIn.isPending && (await findClaimable(trx, invitation ?? ''));
          if (person) await giveWords(trx, person, user.id, now());
          const isConfirmed = await confirmInvited(trx, { ...user, invitationId }, now());
          if (config.mail && !isConfirmed) await tryToConfirm(trx, user, { isLast, nowMs: now() });
          return user;
        },
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
    },
    async (request, reply) => {
      const given = parseBasic(request.headers.authorization);
      if (!given || Buffer.byteLength(given.password) > limits.passwordBytes) {
        throw new ApiError('wrong_credentials');
      }
      // Other sites can neither set nor clear the cookie of a remembered browser.
      const isOwn = isSiteOrigin(request, config.publicUrl);
      const cookie = isOwn ? deviceCookie(request, config.publicUrl) : undefined;
      const { device, ...signedIn } = await signIn(
        { ...services, passwordTries },
        {
          ...given,
          address: request.addressKey,
          browser: browserName(request.headers['user-agent']),
          isRemembered: cookie !== undefined && request.body?.remember === true,
        },
      );
      if (device) cookie?.set(reply, device.value, device.maxAgeMs);
      // Clear the cookie of a previously remembered person.
      else cookie?.clear(reply);
      await openReading(services, request, reply, signedIn.token);
      return reply.header('cache-control', 'private, no-store').send(signedIn);
    },
  );
}

/** Queues the link that confirms the address, unless the mailbox got too many today: the owner can request it later. */
async function tryToConfirm(...given: Parameters<typeof queueConfirmation>): Promise<void> {
  try {
    await queueConfirmation(...given);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'too_many_requests')) throw error;
  }
}
