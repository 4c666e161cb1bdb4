import Type from 'typebox';
import { Value } from 'typebox/value';
import { PasskeyInfo, PasskeyList } from '../../../shared/account-settings.ts';
import { SignedIn } from '../../../shared/accounts.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { visibleName } from '../../../shared/clean-text.ts';
import { Problem } from '../../../shared/errors.ts';
import { limits } from '../../../shared/limits.ts';
import {
  AddPasskey,
  PasskeyCreation,
  PasskeyId,
  PasskeyRequest,
  PasskeySignIn,
  StartPasskey,
} from '../../../shared/passkeys.ts';
import { userHandle } from '../../../shared/user-handle.ts';
import type { Database } from '../../database/tables.ts';
import type { App } from '../../http/app-type.ts';
import { FieldParser } from '../../http/field-parser.ts';
import { isSiteOrigin } from '../../http/site-origin.ts';
import type { Config } from '../../system/settings/config.ts';
import { requireCurrentPassword } from '../passwords/current-password.ts';
import { browserName } from '../sessions/browser-name.ts';
import { openReading } from '../sessions/reading-gate.ts';
import { callerOf, sessionOf } from '../sessions/session-guard.ts';
import { deviceCookie } from '../sessions/site-cookies.ts';
import { challengeMs, createChallenge } from './challenges.ts';
import {
  addPasskey,
  deletePasskey,
  listPasskeys,
  type PasskeyServices,
  signInWithPasskey,
  startPasskey,
} from './passkeys.ts';
import { relyingParty } from './relying-party.ts';
import { algorithms } from './verify-passkey.ts';

const tags = ['accounts'];

/** Routes for passkeys, which require an https site or localhost. */
export function passkeyRoutes(
  app: App,
  services: PasskeyServices & { config: Pick<Config, 'publicUrl'> },
): void {
  const { db, now, config } = services;

  app.get(
    apiRoutes.passkeys,
    {
      schema: {
        tags,
        summary: 'Las llaves de acceso (passkeys) de la propia cuenta',
        response: { 200: PasskeyList, '4xx': Problem },
      },
    },
    async (request) => {
      const { id } = callerOf(request);
      relyingParty(config, request);
      return { data: await listPasskeys(db, id) };
    },
  );

  app.post(
    apiRoutes.passkeyOptions,
    {
      schema: {
        tags,
        summary: 'Empezar a añadir una llave de acceso',
        body: StartPasskey,
        response: { 200: PasskeyCreation, '4xx': Problem },
      },
    },
    async (request): Promise<PasskeyCreation> => {
      const { id, name, email } = callerOf(request);
      const party = relyingParty(config, request);
      const hash = await requireCurrentPassword(db, id, request.body.currentPassword);
      return {
        challenge: await startPasskey(services, id, hash),
        rp: { id: party.id, name: 'tertulia' },
        user: { id: userHandle(id), name: email, displayName: name },
        pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
        timeout: challengeMs,
        attestation: 'none',
        excludeCredentials: await describePasskeys(db, id),
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
      };
    },
  );

  app.post(
    apiRoutes.passkeys,
    {
      schema: {
        tags,
        summary: 'Añadir una llave de acceso',
        body: AddPasskey,
        response: { 201: PasskeyInfo, '4xx': Problem },
      },
    },
    async (request, reply) => {
      const session = sessionOf(request);
      const party = relyingParty(config, request);
      const { credential } = request.body;
      const fields = new FieldParser();
      const name = fields.text('name', visibleName(request.body.name), limits.passkeyNameChars);
      fields.done();
      return reply.code(201).send(await addPasskey(services, party, session, { name, credential }));
    },
  );

  app.delete(
    apiRoutes.passkey(':id'),
    {
      schema: {
        tags,
        summary: 'Quitar una llave de acceso; cierra las demás sesiones',
        params: Type.Object({ id: PasskeyId }),
        response: { 204: Type.Null(), '4xx': Problem },
      },
    },
    async (request, reply) => {
      await deletePasskey(services, sessionOf(request), request.params.id);
      return reply.code(204).send(null);
    },
  );

  app.post(
    apiRoutes.passkeySignInOptions,
    {
      schema: {
        tags,
        summary: 'Empezar a iniciar sesión con una llave de acceso',
        response: { 200: PasskeyRequest, '4xx': Problem },
      },
    },
    async (request, reply) => {
      const { id } = relyingParty(config, request);
      const challenge = await createChallenge(db, null, now());
      return reply
        .header('cache-control', 'private, no-store')
        .send({ challenge, rpId: id, timeout: challengeMs, userVerification: 'required' });
    },
  );

  app.post(
    apiRoutes.passkeySignIn,
    {
      schema: {
        tags,
        summary: 'Iniciar sesión con una llave de acceso',
        body: PasskeySignIn,
        response: { 200: SignedIn, '4xx': Problem },
      },
    },
    async (request, reply) => {
      const party = relyingParty(config, request);
      const cookie = isSiteOrigin(request, config.publicUrl)
        ? deviceCookie(request, config.publicUrl)
        : undefined;
      const { credential, remember } = request.body;
      const { device, ...signedIn } = await signInWithPasskey(services, party, credential, {
        name: browserName(request.headers['user-agent']),
        isRemembered: cookie !== undefined && remember === true,
      });
      if (device) cookie?.set(reply, device.value, device.maxAgeMs);
      else cookie?.clear(reply);
      await openReading(services, request, reply, signedIn.token);
      return reply.header('cache-control', 'private, no-store').send(signedIn);
    },
  );
}

/** Lists the account's passkeys, so that an authenticator does not create a second one for the account. */
async function describePasskeys(
  db: Database,
  accountId: string,
): Promise<PasskeyCreation['excludeCredentials']> {
  const rows = await db
    .selectFrom('passkeys')
    .select(['id', 'transports'])
    .where('account_id', '=', accountId)
    .execute();
  return rows.map(({ id, transports }) => ({
    type: 'public-key',
    id,
    transports: Value.Parse(Type.Array(Type.String()), JSON.parse(transports)),
  }));
}
