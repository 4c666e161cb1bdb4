import Type from 'typebox';
import { apiRoutes } from '../../shared/api-routes.ts';
import { Problem } from '../../shared/errors.ts';
import {
  type NotificationSettingsEdit,
  PushEndpoint,
  PushSubscriptionBody,
} from '../../shared/notification-settings.ts';
import { callerOf, sessionOf } from '../accounts/sessions/session-guard.ts';
import type { Database } from '../database/tables.ts';
import type { WithTransaction } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import type { App } from '../http/app-type.ts';
import { FieldParser } from '../http/field-parser.ts';
import type { Config } from '../system/settings/config.ts';
import { knownZone } from '../system/zones.ts';
import { addSubscription, canPush, removeSubscription } from './subscriptions.ts';
import { areSubscriberKeys } from './web-push.ts';

const tags = ['accounts'];

interface Services {
  db: Database;
  withTransaction: WithTransaction;
  now: () => number;
  config: Pick<Config, 'publicUrl'>;
  isPushService: (endpoint: URL) => boolean;
}

/** Routes with which a browser starts and ends push messages. */
export function pushRoutes(app: App, services: Services): void {
  app.post(
    apiRoutes.push,
    {
      schema: {
        tags,
        summary: 'Recibir avisos en este dispositivo',
        description:
          'Solo desde un navegador que mantiene la sesión, con la que terminan. Si ya los reciben diez, deja de recibirlos el más antiguo.',
        body: PushSubscriptionBody,
        response: { 204: Type.Null(), '4xx': Problem },
      },
    },
    async (request, reply) => {
      if (!canPush(services.config)) throw new ApiError('push_unavailable');
      const { endpoint, keys } = request.body;
      const url = URL.parse(endpoint);
      const fields = new FieldParser();
      if (!url || !services.isPushService(url)) {
        fields.reject(
          'endpoint',
          'No es de un servicio de avisos conocido. Prueba con Chrome, Edge, Firefox o Safari.',
        );
      }
      if (!areSubscriberKeys(keys)) {
        fields.reject('keys', 'No son las claves de un navegador. Activa los avisos otra vez.');
      }
      fields.done();
      const subscriber = { endpoint: url?.href ?? '', ...keys };
      await addSubscription(services, sessionOf(request), subscriber);
      return reply.code(204).send(null);
    },
  );

  app.delete(
    apiRoutes.push,
    {
      schema: {
        tags,
        summary: 'Dejar de recibir avisos en este dispositivo',
        body: PushEndpoint,
        response: { 204: Type.Null(), '4xx': Problem },
      },
    },
    async (request, reply) => {
      const { endpoint } = request.body;
      const stored = URL.parse(endpoint)?.href ?? '';
      await removeSubscription(services, callerOf(request).id, stored);
      return reply.code(204).send(null);
    },
  );
}

type PushEdit = NonNullable<NotificationSettingsEdit['push']>;

/** @throws ApiError `invalid_fields` */
export function parsePushSettings(edit: PushEdit): PushEdit {
  const fields = new FieldParser();
  if (edit.quietZone && knownZone(edit.quietZone) === undefined)
    fields.reject('quietZone', 'No es una zona horaria, como Europe/Madrid.');
  fields.done();
  return edit;
}
