import { pageRoutes } from '../../../shared/routes.ts';
import { communityOf, compose, type Message, type Place } from '../../mail/messages/compose.ts';
import { type Ending, endOf } from '../../mail/messages/ending.ts';
import { button, paragraph } from '../../mail/messages/parts.ts';

/**
 * Tells a moderator how much awaits a decision or approval. It names nobody, and contains nothing that was reported.
 */
export function moderationMessage(
  place: Place,
  { open, pending, ...rest }: Ending & Record<'open' | 'pending', number>,
): Message {
  const community = communityOf(place);
  const waiting = open + pending === 1 ? '1 pendiente' : `${open + pending} pendientes`;
  return compose(place, {
    subject: `${waiting} de moderar en ${community}`,
    heading: 'Hay algo que espera a quien modera',
    parts: [
      paragraph(`En ${community}, algo espera desde hace más de una hora.`),
      ...(open > 0 ? [paragraph(`Denuncias y peticiones de revisión pendientes: ${open}`)] : []),
      ...(pending > 0 ? [paragraph(`Por aprobar: ${pending}`)] : []),
      button('Ir a moderación', new URL(pageRoutes.moderation, place.publicUrl).href),
    ],
    end: endOf(rest, `modera ${community}`, ['Ajustes del correo', 'No recibirlos más']),
  });
}
