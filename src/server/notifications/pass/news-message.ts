import { limits } from '../../../shared/limits.ts';
import { notificationKinds, type TitlePart } from '../../../shared/notification-kinds.ts';
import { notificationsText, unreadText } from '../../../shared/notification-texts.ts';
import type { AnyNotification } from '../../../shared/notifications.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { communityOf, compose, type Message, type Place } from '../../mail/messages/compose.ts';
import { type Ending, endOf } from '../../mail/messages/ending.ts';
import { html } from '../../mail/messages/html.ts';
import { button, type Part } from '../../mail/messages/parts.ts';
import { shortLine, shortName } from '../../mail/messages/short-line.ts';

interface News extends Ending {
  notifications: AnyNotification[];
  /** Numbers of unread comments by channel, for the channels of `comment` notifications. */
  unread?: ReadonlyMap<string, number>;
  /** Links that answer for the dates of a notification, by its id. */
  answers?: ReadonlyMap<number, AnswerLinks[]>;
  /** The whole texts of announcements, by the ids of their notifications. */
  texts?: ReadonlyMap<number, string>;
  /** Number of further notifications. */
  more: number;
  /** Channels that the recipient follows. */
  channels: { name: string; unread: number; link: string }[];
}

/** The mail about what is new, with the title of the only notification or the number of them as its subject. */
export function newsMessage(
  place: Place,
  { notifications, unread, answers, texts, more, channels, ...ending }: News,
): Message {
  const community = communityOf(place);
  const count = notificationsText(notifications.length + more);
  const [first] = notifications;
  const only = notifications.length + more === 1 && first ? titleOf(first) : null;
  return compose(place, {
    subject: only?.text ?? `${count} en ${community}`,
    heading: only?.html ?? count,
    parts: [
      ...notifications.map((one) => {
        const count = one.kind === 'comment' ? unread?.get(one.channel._id) : undefined;
        return partOf(one, place, only !== null, {
          unread: count,
          answers: answers?.get(one.id),
          whole: texts?.get(one.id),
        });
      }),
      ...(more > 0
        ? [
            button(
              notifications.length > 0 ? `Ver ${notificationsText(more)} más` : 'Verlo en el foro',
              new URL(pageRoutes.notifications, place.publicUrl).href,
            ),
          ]
        : []),
      ...(channels.length > 0 ? [followed(channels)] : []),
    ],
    end: endOf(ending, `tiene activados los avisos por correo de ${community}`, [
      'Cambiar cada cuánto llegan',
      'No recibir más avisos',
    ]),
  });
}

function partOf(
  notification: AnyNotification,
  { publicUrl }: Place,
  isOnly: boolean,
  {
    unread,
    answers = [],
    whole,
  }: {
    unread: number | undefined;
    answers: AnswerLinks[] | undefined;
    whole: string | undefined;
  },
): Part {
  const kind = notificationKinds[notification.kind];
  const link = publicUrl + kind.link(notification);
  const title = titleOf(notification);
  const { excerpt, text } =
    whole === undefined ? excerptOf(notification) : { excerpt: whole, text: whole };
  const lines = excerpt
    .split('\n')
    .map((line, index) => html`${index > 0 ? html`<br>` : ''}${line}`);
  // An announcement is what the mail is about.
  const quote = html`<blockquote dir="auto">${lines}</blockquote>`;
  const quoted = whole === undefined ? (excerpt ? quote : '') : html`<p dir="auto">${lines}</p>`;
  const count = unread ? ` · ${unreadText(unread)}` : '';
  return {
    text: [
      title.text + count,
      ...(excerpt ? [text] : []),
      ...answers.flatMap((date) => [
        ...(answers.length > 1 ? [date.text] : []),
        ...date.links.map(({ text: answer, url }) => `${answer}: ${url}`),
      ]),
      link,
    ].join('\n'),
    html: isOnly
      ? html`${quoted}${answers.map(answerLinks)}${button(kind.linkText + count, link).html}`
      : html`<p class="line"><a href="${link}">${title.html}</a>${count}</p>${quoted}${answers.map(answerLinks)}`,
  };
}

/** The links with the answers for one date. */
export interface AnswerLinks {
  /** Day, hour and place of the date. */
  text: string;
  links: { text: string; url: string }[];
}

const answerLinks = ({ text, links }: AnswerLinks) =>
  html`<p>${text}<br>${links.map(
    ({ text: answer, url }) => html`<a class="answer" href="${url}">${answer}</a> `,
  )}</p>`;

/** What is quoted of a notification: in HTML, and as text. Each line of a list is one. */
function excerptOf({ kind, excerpt: given }: AnyNotification) {
  const { excerpt: what } = notificationKinds[kind];
  if (what === 'list') return { excerpt: given, text: given };
  const excerpt = shortLine(given, what === 'reason' ? limits.reasonChars : 200);
  if (what === 'reason') {
    const text = excerpt && `Motivo: ${excerpt}`;
    return { excerpt: text, text };
  }
  return { excerpt, text: excerpt && `«${excerpt}»` };
}

/** The title of a notification, such as "Ana y 2 más te respondieron en Cine", with shortened names. */
export function titleOf(notification: AnyNotification): Part {
  const parts = notificationKinds[notification.kind].title(notification);
  return {
    text: parts.map(shownPart).join(''),
    html: html`${parts.map((part) =>
      typeof part === 'string' ? html`${part}` : html`<bdi>${shownPart(part)}</bdi>`,
    )}`,
  };
}

function shownPart(part: TitlePart): string {
  if (typeof part === 'string') return part;
  if ('channel' in part) return shortName(part.channel, 60);
  return shortName(part.person, 40) || 'Alguien';
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
