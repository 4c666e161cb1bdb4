import type { ChannelOrder } from '../../shared/channels.ts';
import { homeUrl } from '../../shared/routes.ts';
import { MarkAllRead } from '../account/account-bundle-loader.tsx';
import { Link } from '../router/navigation.tsx';
import { useAppState, useUser } from '../state/store-provider.tsx';
import { texts } from '../texts.ts';
import styles from './channel-orders.module.css';

const orders = Object.keys(texts.orders) as ChannelOrder[];

/** Links to the channels in other orders and, where something is new, a button that marks it as read. */
export function ChannelOrders({ order }: { order: ChannelOrder }) {
  const { isLogged } = useUser();
  const hasNews = useAppState(({ reads, list }) =>
    Boolean(list?.ids.some((id) => reads[id]?.unread)),
  );
  return (
    <div className={styles.row}>
      <nav aria-label={texts.channelOrders}>
        <ul className={styles.orders}>
          {orders.map((one) => (
            <li key={one}>
              <Link href={homeUrl(one)} aria-current={one === order ? 'page' : undefined}>
                {texts.orders[one]}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {isLogged && hasNews && <MarkAllRead />}
    </div>
  );
}
