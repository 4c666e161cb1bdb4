import { pageRoutes } from '../../../shared/routes.ts';
import type { MailMaker } from '../../mail/make-mail.ts';
import { unsubscribing } from '../../mail/unsubscribe.ts';
import { levelOf, settingsInForce } from '../../site-settings/site-settings.ts';
import { listFollowed } from '../channel-levels.ts';
import { listNewNotifications } from '../list-notifications.ts';
import { kindsToldTo } from '../told-news.ts';
import { newsMessage } from './news-message.ts';
import { isMailedAs } from './unseen-news.ts';

/** Maximum number of lines in a mail, for notifications merged by channel and kind, and for followed channels. */
const mostLines = 10;

/**
 * Makes the mail about what is still new of the notifications that it covers, with what the account may be told. A digest
 * also names followed channels.
 */
export const makeNewsMail: MailMaker = async ({ db, now }, place, mail, account, isBare) => {
  if (account.email_confirmed_at_ms === null || account.mail_every === 'never') return undefined;
  const community = levelOf(await settingsInForce(db));
  const follow = account.follow ?? community;
  const kinds = await kindsToldTo(db, account, now(), (notification) =>
    isMailedAs(mail.kind, notification, account.tells_channels === 1 ? community : 'mine'),
  );
  const range = { after: mail.after_notification_id, upTo: mail.notification_id };
  const shownKinds = { most: mostLines, kinds, follow };
  const news = await listNewNotifications(db, account.id, range, shownKinds);
  const { data, more } = news;
  if (data.length === 0) return undefined;
  const { links, headers } = await unsubscribing(db, place, account.id, 'news');
  const shown = isBare
    ? { notifications: [], more: data.length + more, channels: [] }
    : { notifications: data, more, ...(await findFollowed()) };
  const [channelId, ...others] = new Set(data.map(({ channel }) => channel?._id));
  const isOfOne = others.length === 0 && more === 0 && channelId !== undefined;
  return {
    message: newsMessage(place, { name: account.name, ...shown, ...links }),
    headers,
    references: isOfOne ? `channel-${channelId.replace(/[^\w-]/g, '')}` : 'news',
  };

  /** The unread channels that the account follows, apart from those that a notification names. */
  async function findFollowed() {
    // Only who may read is told of replies.
    if (mail.kind === 'notices' || !kinds.includes('reply')) return { channels: [] };
    const followed = await listFollowed(db, account.id, follow);
    const unread = new Map(followed.map((channel) => [channel._id, channel.unread]));
    const named = data.filter(({ kind }) => kind === 'comment').map(({ channel }) => channel?._id);
    const channels = followed
      .filter((channel) => channel.unread > 0 && !named.includes(channel._id))
      .slice(0, mostLines)
      .map(({ _id, name, unread }) => ({
        name,
        unread,
        link: place.publicUrl + pageRoutes.channel(_id),
      }));
    return { channels, unread };
  }
};
