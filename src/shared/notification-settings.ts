import Type, { type Static } from 'typebox';
import { limits } from './limits.ts';
import { Follow } from './notifications.ts';
import { Id, Instant, Nullable } from './schema.ts';

/** How often news is sent by e-mail. */
export const Every = Type.Enum(['never', 'hour', 'day', 'week'], {
  description:
    '`never`: nunca; `hour`: en la próxima hora, como mucho una vez por hora; `day`: cada día a las 8, como al principio; `week`: los lunes a las 8.',
});
export type Every = Static<typeof Every>;

/** How often moderators are mailed about what awaits them. */
export const ModerationMails = Type.Enum(['hour', 'never'], {
  description:
    'A quien modera, que algo espera desde hace más de una hora. `hour`: como mucho un mensaje por hora, como al principio; `never`: nunca.',
});
export type ModerationMails = Static<typeof ModerationMails>;

/** How a person is told of what cannot wait: changes of dates that it comes to, reminders and the like. */
export const Important = Type.Enum(['now', 'digest', 'never'], {
  description:
    'Los avisos importantes, por correo y en los dispositivos. `now`: al momento, como al principio; `digest`: con los demás; `never`: nunca.',
});
export type Important = Static<typeof Important>;

/** A remembered browser that is sent push messages. */
const PushDevice = Type.Object({
  browser: Type.String(),
  createdAt: Instant,
  isCurrent: Type.Boolean({ description: 'Si es el de la sesión que pregunta.' }),
});

const PushPreferences = {
  excerpts: Type.Boolean({
    description: 'Si los avisos llevan el comienzo del comentario, o el motivo de la decisión.',
  }),
  quietZone: Nullable(
    Type.String({
      maxLength: limits.zoneChars,
      description:
        'Zona horaria (IANA) en la que no llega nada de 22 a 8, vacía en una petición para la de la comunidad; null si llegan a cualquier hora.',
    }),
  ),
};

/** Settings of notifications outside the pages. `email` is null if the site sends none, `push` if it cannot push. */
export const NotificationSettings = Type.Object({
  email: Nullable(
    Type.Object({
      confirmed: Type.Boolean({ description: 'Si la dirección está confirmada.' }),
      every: Every,
      zone: Type.String({
        description:
          'Zona horaria (IANA) de la mañana en la que llegan: la que nombró un navegador de la cuenta o, si no, la de la comunidad.',
      }),
      problem: Nullable(
        Type.Enum(['refused', 'given_up', 'no_link'], {
          description:
            '`refused`: el servidor de correo dice que la dirección no existe, y se prueba cada semana; `given_up`: los tres últimos mensajes no se pudieron entregar, y se prueba cada semana; `no_link`: está sin confirmar y no hay ningún enlace que sirva, así que hay que pedir uno.',
        }),
      ),
    }),
  ),
  push: Nullable(
    Type.Object({
      key: Type.String({ description: 'La clave pública con la que se suscribe un navegador.' }),
      devices: Type.Array(PushDevice),
      ...PushPreferences,
    }),
  ),
  moderation: ModerationMails,
  follow: Type.Object({
    chosen: Nullable(Follow),
    community: Type.Enum(['all', 'mine'], {
      description: 'Lo que vale para quien no ha elegido (`chosen` es null).',
    }),
  }),
  channels: Type.Boolean({ description: 'Si se avisa de los canales nuevos.' }),
  important: Important,
});
export type NotificationSettings = Static<typeof NotificationSettings>;

/** Only what changes. */
export const NotificationSettingsEdit = Type.Object({
  email: Type.Optional(
    Type.Object({
      every: Every,
      zone: Type.Optional(
        Type.String({
          maxLength: limits.zoneChars,
          description:
            'La zona horaria (IANA) del navegador, cuando cambia `every`. Vacía, o si el servidor no la conoce: la de la comunidad.',
        }),
      ),
    }),
  ),
  push: Type.Optional(Type.Partial(Type.Object(PushPreferences))),
  moderation: Type.Optional(ModerationMails),
  follow: Type.Optional(Nullable(Follow)),
  channels: Type.Optional(Type.Boolean()),
  important: Type.Optional(Important),
});
export type NotificationSettingsEdit = Static<typeof NotificationSettingsEdit>;

/** `token` is the part of the link after `#`. */
export const ConfirmEmail = Type.Object({ token: Id() });
export type ConfirmEmail = Static<typeof ConfirmEmail>;

/** Push services send addresses of up to some 600 characters. The pattern leaves nothing that `URL` would lengthen much. */
const Endpoint = Type.String({ maxLength: 2048, pattern: '^[!-~]*$' });
const PushKey = Type.String({ maxLength: 200 });

/** A browser's `PushSubscription`, as its `toJSON` returns it. */
export const PushSubscriptionBody = Type.Object({
  endpoint: Endpoint,
  keys: Type.Object({ p256dh: PushKey, auth: PushKey }),
});
export type PushSubscriptionBody = Static<typeof PushSubscriptionBody>;

export const PushEndpoint = Type.Object({ endpoint: Endpoint });
export type PushEndpoint = Static<typeof PushEndpoint>;
