import Type, { type Static } from 'typebox';
import { Id, Nullable } from './schema.ts';

/** How often news is sent by e-mail. */
export const Every = Type.Enum(['never', 'hour', 'day', 'week'], {
  description:
    '`never`: nunca; `hour`: al rato, como mucho una vez por hora; `day`: cada día, como al principio; `week`: cada semana.',
});
export type Every = Static<typeof Every>;

/** How often moderators are mailed about what awaits them. */
export const ModerationMails = Type.Enum(['hour', 'never'], {
  description:
    'A quien modera, que algo espera desde hace más de una hora. `hour`: como mucho un mensaje por hora, como al principio; `never`: nunca.',
});
export type ModerationMails = Static<typeof ModerationMails>;

/** Settings of notifications outside the pages. `email` is null if the site sends none. */
export const NotificationSettings = Type.Object({
  email: Nullable(
    Type.Object({
      confirmed: Type.Boolean({ description: 'Si la dirección está confirmada.' }),
      every: Every,
      problem: Nullable(
        Type.Enum(['refused', 'no_link'], {
          description:
            '`refused`: el servidor de esa dirección rechazó el último mensaje para siempre; `no_link`: está sin confirmar y no hay ningún enlace que sirva, así que hay que pedir uno.',
        }),
      ),
    }),
  ),
  moderation: ModerationMails,
});
export type NotificationSettings = Static<typeof NotificationSettings>;

/** Only what changes. */
export const NotificationSettingsEdit = Type.Object({
  email: Type.Optional(Type.Object({ every: Every })),
  moderation: Type.Optional(ModerationMails),
});
export type NotificationSettingsEdit = Static<typeof NotificationSettingsEdit>;

/** `token` is the part of the link after `#`. */
export const ConfirmEmail = Type.Object({ token: Id() });
export type ConfirmEmail = Static<typeof ConfirmEmail>;
