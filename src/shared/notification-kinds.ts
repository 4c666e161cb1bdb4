import { decisionNotificationLink, decisionText } from './decision-texts.ts';
import { changeText, whenAndWhere } from './event-change-texts.ts';
import type {
  AnyNotification,
  DecisionNotification,
  EventNotification,
  Level,
  Notification,
  NotificationKind,
} from './notifications.ts';
import { commentLink, homeUrl, pageRoutes } from './routes.ts';

/** A part of a title. Names may be in another direction of writing than the words around them. */
export type TitlePart = string | { person: string } | { channel: string };

/** Everything that differs between the kinds of notifications. Methods, so that each may expect its own kind. */
interface Kind {
  /** The title in lists, mails and push messages, such as "Ana y 2 más te respondieron en Cine". */
  title(notification: AnyNotification): TitlePart[];
  /** The path of the page that it leads to. */
  link(notification: AnyNotification): string;
  /** The words of the button that leads there, in a mail about this alone. */
  linkText: string;
  /** The text of its `excerpt`: the beginning of a comment, the reason of a decision, or a list of dates. */
  excerpt: 'comment' | 'reason' | 'list';
  /** `readers`: accounts that may sign in and read. `accounts`: hidden, suspended and refused ones, too. */
  toldTo: 'readers' | 'accounts';
  /**
   * `digest`: in the rhythm that the person chose. `where all follow`: likewise, but only in a community that says so.
   * `at once`: in a mail of its own kind, without waiting.
   */
  mail: 'digest' | 'where all follow' | 'at once';
  isPushed: boolean;
  /** Which of them are shown as one. */
  mergedBy: 'channel' | 'kind' | 'nothing';
  /** Whether reading the comment that it is about is seeing it. */
  isSeenByReading: boolean;
  /** Whether it is listed while the comment that it is about is hidden or deleted. */
  isListedWhenHidden: boolean;
  /** The levels of a channel with which a person is told of it: `Nada` holds back what lacks `none`. */
  levels: readonly Level[];
}

const pairs = new Intl.ListFormat('es');

/** Names the last person, or both, or the last one with the number of the others. */
function who({ people, count }: Notification): TitlePart[] {
  const [last = '', other] = people.map(({ name }) => name);
  if (count === 1) return [{ person: last }];
  if (count > 2 || other === undefined) return [{ person: last }, ` y ${count - 1} más`];
  return pairs
    .formatToParts([last, other])
    .map(({ type, value }) => (type === 'element' ? { person: value } : value));
}

/** A kind of which people are the authors. @param verbs verb phrases for one person and for several */
const byPeople = ([one, several]: [one: string, several: string]): Kind => ({
  title: (notification: Notification) => [
    ...who(notification),
    ` ${notification.count > 1 ? several : one} en `,
    { channel: notification.channel.name },
  ],
  link: ({ channel, number }: Notification) => commentLink(channel._id, number ?? 1),
  linkText: 'Ver el comentario',
  excerpt: 'comment',
  toldTo: 'readers',
  mail: 'digest',
  isPushed: true,
  mergedBy: 'channel',
  isSeenByReading: true,
  isListedWhenHidden: false,
  levels: ['all', 'mine'],
});

/** A kind about dates. @param text what is said of the only date; of several, the list says it */
const aboutDates = (
  several: string,
  text: (date: EventNotification['dates'][number]) => string,
): Kind => ({
  title: ({ title, dates }: EventNotification) => {
    const [date, ...others] = dates;
    const name = title === '' ? 'Una fecha que ya no se ve' : `«${title}»`;
    if (!date) return [`${name} ha vuelto a cambiar`];
    return [`${name}: ${others.length > 0 ? `${several} ${dates.length} fechas` : text(date)}`];
  },
  link: ({ channel, number }: EventNotification) =>
    channel ? commentLink(channel._id, number) : pageRoutes.calendar,
  linkText: 'Ver la fecha',
  excerpt: 'list',
  toldTo: 'readers',
  mail: 'at once',
  isPushed: true,
  mergedBy: 'nothing',
  isSeenByReading: false,
  isListedWhenHidden: true,
  levels: ['all', 'mine', 'none'],
});

export const notificationKinds: Readonly<Record<NotificationKind, Readonly<Kind>>> = {
  reply: byPeople(['te respondió', 'te respondieron']),
  mention: byPeople(['te mencionó', 'te mencionaron']),
  thanks: {
    ...byPeople(['te dio las gracias', 'te dieron las gracias']),
    isPushed: false,
    isSeenByReading: false,
  },
  comment: {
    ...byPeople(['escribió', 'escribieron']),
    levels: ['all'],
  },
  channel: {
    ...byPeople(['', '']),
    title: ({ people, count, channel }: Notification) =>
      count > 1
        ? [`${count} canales nuevos`]
        : [{ person: people[0]?.name ?? '' }, ' abrió el canal ', { channel: channel.name }],
    link: ({ count, channel }: Notification) =>
      count > 1 ? homeUrl('new') : pageRoutes.channel(channel._id),
    linkText: 'Verlo en el foro',
    mail: 'where all follow',
    isPushed: false,
    mergedBy: 'kind',
    levels: ['all', 'mine', 'none'],
  },
  announcement: {
    ...byPeople(['', '']),
    title: ({ people, channel }: Notification) => [
      'Comunicado de ',
      { person: people[0]?.name ?? '' },
      ' en ',
      { channel: channel.name },
    ],
    linkText: 'Ver el comunicado',
    mail: 'at once',
    mergedBy: 'nothing',
    levels: ['all', 'mine', 'none'],
  },
  poll: {
    ...byPeople(['', '']),
    title: ({ people, channel }: Notification) => [
      'Resultado de la encuesta de ',
      { person: people[0]?.name ?? '' },
      ' en ',
      { channel: channel.name },
    ],
    linkText: 'Ver el resultado',
    mail: 'at once',
    mergedBy: 'nothing',
    isSeenByReading: false,
    levels: ['all', 'mine', 'none'],
  },
  event: aboutDates('cambian', changeText),
  place: aboutDates('ya hay sitio en', (date) => `ya hay sitio, ${whenAndWhere(date)}`),
  // Without "tomorrow", as it may be mailed or read later.
  reminder: aboutDates('recuerda', (date) => `recuerda, ${whenAndWhere(date)}`),
  decision: {
    title: ({ action, subject, channel }: DecisionNotification) => [
      decisionText(action, subject),
      ...(channel ? [' en ', { channel: channel.name }] : []),
    ],
    link: decisionNotificationLink,
    linkText: 'Verlo en el foro',
    excerpt: 'reason',
    toldTo: 'accounts',
    mail: 'digest',
    isPushed: true,
    mergedBy: 'nothing',
    isSeenByReading: true,
    isListedWhenHidden: true,
    levels: ['all', 'mine', 'none'],
  },
};

/** The kinds of which something holds. */
export const kindsWith = (holds: (kind: Readonly<Kind>) => boolean) =>
  Object.entries(notificationKinds).flatMap(([name, kind]) =>
    holds(kind) ? [name as NotificationKind] : [],
  );
