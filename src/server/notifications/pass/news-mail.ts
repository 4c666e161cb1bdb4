import { pageRoutes } from '../../../shared/routes.ts';
import type { MailMaker } from '../../mail/make-mail.ts';
import { unsubscribing } from '../../mail/unsubscribe.ts';
import { listFollowed } from '../channel-levels.ts';
import { listNewNotifications } from '../list-notifications.ts';
import { kindsToldTo } from '../told-news.ts';
import { newsMessage } from './news-message.ts';

/** Maximum number of lines in a mail, for notifications merged by channel and kind, and for followed channels. */
const mostLines = 10;

/** Makes the mail about what is still new of the notifications that it covers, with what the account may be told. */
export const makeNewsMail: MailMaker = async ({ db, now }, place, mail, account, isBare) => {
  if (account.email_confirmed_at_ms === null || account.mail_every === 'never') return undefined;
  const kinds = await kindsToldTo(db, account, now(), ({ mail }) => mail === 'digest');
  const range = { after: mail.after_notification_id, upTo: mail.notification_id };
  const news = await listNewNotifications(db, account.id, range, { most: mostLines, kinds });
  const { data, more } = news;
  if (data.length === 0) return undefined;
  const { links, headers } = await unsubscribing(db, place, account.id, 'news');
  const shown = isBare
    ? { notifications: [], more: data.length + more, channels: [] }
    : { notifications: data, more, channels: await findFollowed() };
  const [channelId, ...others] = new Set(data.map(({ channel }) => channel?._id));
  const isOfOne = others.length === 0 && more === 0 && channelId !== undefined;
  return {
    message: newsMessage(place, { name: account.name, ...shown, ...links }),
    headers,
    references: isOfOne ? `channel-${channelId.replace(/[^\w-]/g, '')}` : 'news',
  };

  async function findFollowed() {
    // Only who may read is told of replies.
    if (!kinds.includes('reply')) return [];
    const followed = await listFollowed(db, account.id);
    return followed
      .filter(({ unread }) => unread > 0)
      .slice(0, mostLines)
      .map(({ _id, name, unread }) => ({
        ...{ name, unread },
        link: place.publicUrl + pageRoutes.channel(_id),
      }));
  }
};
