import { decisionText } from '../../../shared/decision-texts.ts';
import { limits } from '../../../shared/limits.ts';
import {
  notificationsText,
  notificationVerbs,
  unreadText,
} from '../../../shared/notification-texts.ts';
import type { DecisionNotification } from '../../../shared/notifications.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { communityOf, compose, type Message, type Place } from './compose.ts';
import { html } from './html.ts';
import { button, type Part, paragraph, smallPrint } from './parts.ts';
import { shortLine, shortName } from './short-line.ts';

export type { Message, Place } from './compose.ts';

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

/** A decision about the recipient. */
interface DecisionLine extends Pick<DecisionNotification, 'kind' | 'action' | 'subject'> {
  /** The name of the published post's channel; otherwise empty. */
  channelName: string;
  /** The reason. */
  excerpt: string;
  link: string;
}

/** Replies, mentions or thanks in a channel. */
interface EventLine {
  kind: 'reply' | 'mention' | 'thanks';
  /** Names of the most recent people. */
  people: string[];
  /** Number of people in total. */
  count: number;
  channelName: string;
  excerpt: string;
  /** Link to the first comment. */
  link: string;
}

export type NewsLine = EventLine | DecisionLine;

interface News {
  name: string;
  lines: NewsLine[];
  /** Number of further lines. */
  more: number;
  channels: { name: string; unread: number; link: string }[];
  settingsLink: string;
  unsubscribeLink: string;
}

export function newsMessage(place: Place, { lines, more, channels, ...rest }: News): Message {
  const community = communityOf(place);
  const notifications = notificationsText(lines.length + more);
  const [first] = lines;
  const only = lines.length + more === 1 && first ? lineTitle(first) : null;
  return compose(place, {
    subject: only?.text ?? `${notifications} en ${community}`,
    heading: only?.html ?? notifications,
    parts: [
      ...lines.map((line) => newsLine(line, only !== null)),
      ...(more > 0
        ? [
            button(
              lines.length > 0 ? `Ver ${notificationsText(more)} más` : 'Verlo en el foro',
              new URL(pageRoutes.notifications, place.publicUrl).href,
            ),
          ]
        : []),
      ...(channels.length > 0 ? [followed(channels)] : []),
    ],
    end: endOf(rest, `tiene activados los avisos por correo de ${community}`, [
      'Cambiar cada cuánto llegan',
      'No recibir más avisos',
    ]),
  });
}

function newsLine(line: NewsLine, isOnly: boolean): Part {
  const { link } = line;
  const title = lineTitle(line);
  const isDecision = line.kind === 'decision';
  const excerpt = shortLine(line.excerpt, isDecision ? limits.reasonChars : 200);
  const text = isDecision ? `Motivo: ${excerpt}` : `«${excerpt}»`;
  const quoted = excerpt
    ? html`<blockquote dir="auto">${isDecision ? text : excerpt}</blockquote>`
    : '';
  const label = isDecision ? 'Verlo en el foro' : 'Ver el comentario';
  return {
    text: [title.text, ...(excerpt ? [text] : []), link].join('\n'),
    html: isOnly
      ? html`${quoted}${button(label, link).html}`
      : html`<p class="line"><a href="${link}">${title.html}</a></p>${quoted}`,
  };
}

const names = new Intl.ListFormat('es');

/** The title of a line, such as "Ana y 2 más te respondieron en Cine". */
export function lineTitle(line: NewsLine): Part {
  if (line.kind === 'decision') {
    const text = decisionText(line.action, line.subject);
    const channel = shortName(line.channelName, 60);
    return channel
      ? { text: `${text} en ${channel}`, html: html`${text} en <bdi>${channel}</bdi>` }
      : { text, html: html`${text}` };
  }
  const { kind, people, count, channelName } = line;
  const shown = people.map((name) => shortName(name, 40) || 'Alguien');
  const [first = 'Alguien'] = shown;
  const several = count === 2 && shown.length === 2 ? shown : [first, `${count - 1} más`];
  const who = names.formatToParts(count > 1 ? several : [first]);
  const [one, many] = notificationVerbs[kind];
  const verb = count > 1 ? many : one;
  const channel = shortName(channelName, 60);
  return {
    text: `${who.map(({ value }) => value).join('')} ${verb} en ${channel}`,
    html: html`${who.map(({ type, value }) => (type === 'element' ? html`<bdi>${value}</bdi>` : html`${value}`))} ${verb} en <bdi>${channel}</bdi>`,
  };
}

function followed(channels: News['channels']): Part {
  const title = 'En los canales que sigues';
  const shown = channels.map((channel) => ({ ...channel, name: shortName(channel.name, 60) }));
  const lines = shown.map(({ name, unread, link }) => `${name}: ${unreadText(unread)}\n${link}`);
  return {
    text: [title, ...lines].join('\n\n'),
    html: html`<h2>${title}</h2><ul>${shown.map(
      ({ name, unread, link }) =>
        html`<li><a href="${link}"><bdi>${name}</bdi></a> · ${unreadText(unread).replace(' ', '\u00a0')}</li>`,
    )}</ul>`,
  };
}

/**
 * Tells a moderator how much awaits a decision or approval. It names nobody, and contains nothing that was reported.
 */
export function moderationMessage(
  place: Place,
  { open, pending, ...rest }: End & Record<'open' | 'pending', number>,
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

type End = Pick<News, 'name' | 'settingsLink' | 'unsubscribeLink'>;

/**
 * Says why the recipient gets the message, and how to get fewer or none.
 * @param who continues "who …"
 */
function endOf(
  { name, settingsLink, unsubscribeLink }: End,
  who: string,
  [fewer, none]: [string, string],
): Part {
  const owner = shortName(name, 80);
  return {
    text: [
      `Este correo es para ${owner}, que ${who}.`,
      `${fewer}: ${settingsLink}`,
      `${none}: ${unsubscribeLink}`,
    ].join('\n'),
    html: html`<p>Este correo es para <bdi>${owner}</bdi>, que ${who}.<br>
<a href="${settingsLink}">${fewer}</a> · <a href="${unsubscribeLink}">${none}</a></p>`,
  };
}

const greeting = (name: string) => paragraph(`Hola, ${shortName(name, 80)}:`);
