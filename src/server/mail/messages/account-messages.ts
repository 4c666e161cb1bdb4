import { limits } from '../../../shared/limits.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { communityOf, compose, type Message, type Place } from './compose.ts';
import { button, paragraph, smallPrint } from './parts.ts';
import { shortName } from './short-line.ts';

/**
 * Asks the recipient to confirm that the account is theirs. It contains no text by the person who signed up, who may
 * have used someone else's address.
 */
export function confirmMessage(place: Place, { link }: { link: string }): Message {
  const community = communityOf(place);
  return compose(place, {
    subject: `Confirma tu correo en ${community}`,
    heading: 'Confirma tu correo',
    parts: [
      paragraph(
        `Hay una cuenta en ${community} con esta dirección de correo. Si la cuenta es tuya, confirma la dirección: podrás recuperar el acceso por correo y recibir avisos de lo que te respondan.`,
      ),
      button('Confirmar mi correo', link),
      smallPrint(
        `El enlace caduca a los ${limits.confirmationDays} días y solo sirve una vez. Si la cuenta no es tuya, no hagas nada: a una dirección sin confirmar no le llegan avisos.`,
      ),
    ],
  });
}

/** Tells the old address that the account has a new one, without revealing it. */
export function addressChangedMessage(place: Place, { name }: { name: string }): Message {
  const community = communityOf(place);
  return compose(place, {
    subject: `El correo de tu cuenta en ${community} ha cambiado`,
    heading: 'El correo de tu cuenta ha cambiado',
    parts: [
      greeting(name),
      paragraph(
        `Tu cuenta de ${community} ya no usa esta dirección de correo: alguien que sabe tu contraseña la ha cambiado por otra. Si has sido tú, no tienes que hacer nada, y aquí no llegará nada más.`,
      ),
      paragraph(
        `Si no has sido tú, alguien ha entrado en tu cuenta. Avisa cuanto antes a quien administra ${community}:`,
      ),
      button('Ver cómo avisar', new URL(pageRoutes.rules, place.publicUrl).href),
    ],
  });
}

export function recoverMessage(
  place: Place,
  { name, link }: { name: string; link: string },
): Message {
  const community = communityOf(place);
  return compose(place, {
    subject: `Recupera el acceso a ${community}`,
    heading: 'Recupera el acceso',
    parts: [
      greeting(name),
      paragraph(
        `Alguien ha pedido recuperar el acceso a tu cuenta de ${community}. Si has sido tú, pon una contraseña nueva:`,
      ),
      button('Poner una contraseña nueva', link),
      smallPrint(
        `El enlace caduca a los ${limits.passwordLinkMinutes} minutos y solo sirve una vez. No se lo des a nadie.`,
      ),
      smallPrint(
        'Al guardar la contraseña nueva se cerrarán todas tus sesiones, y dejarán de servir tus llaves de acceso y tus códigos de recuperación.',
      ),
      smallPrint('Si no has sido tú, no hagas nada: tu contraseña sigue siendo la misma.'),
    ],
  });
}

/** @param invitation.name of who is invited; empty if unknown @param invitation.by name of who invites */
export function invitationMessage(
  place: Place,
  { name, by, link }: { name: string; by: string; link: string },
): Message {
  const community = communityOf(place);
  return compose(place, {
    subject: `${shortName(by, 60)} te invita a ${community}`,
    heading: `Te invitan a ${community}`,
    parts: [
      ...(name ? [greeting(name)] : []),
      paragraph(
        `${shortName(by, 80)}, del equipo de moderación de ${community}, te invita a entrar. Ahí se cuenta lo que pasa en la comunidad, y puedes leerlo y escribir.`,
      ),
      button('Crear mi cuenta', link),
      smallPrint(
        `El enlace es para ti: sirve una vez, durante ${limits.longestInvitationDays} días. Si no quieres entrar, no hagas nada: como mucho te llegará este mensaje otra vez, y después borraremos tu dirección.`,
      ),
    ],
  });
}

/** The message sent by `tertulia admin mail-test`. */
export function testMessage(place: Place): Message {
  const community = communityOf(place);
  return compose(place, {
    subject: `Correo de prueba de ${community}`,
    heading: 'Correo de prueba',
    parts: [
      paragraph(`Si lees esto, ${community} puede enviar correo a esta dirección.`),
      smallPrint(
        'Lo ha pedido quien administra el foro con la orden «tertulia admin mail-test». Si ha llegado a la carpeta de correo no deseado, revisa SPF, DKIM y DMARC.',
      ),
    ],
  });
}

const greeting = (name: string) => paragraph(`Hola, ${shortName(name, 80)}:`);
