import type { ChannelOrder } from '../../shared/channels.ts';
import { homeUrl } from '../../shared/routes.ts';
import orderLinks from '../components/orders.module.css';
import { Link } from '../router/navigation.tsx';
import styles from './channel-orders.module.css';
import { homeTexts } from './home-texts.ts';

const orders = Object.keys(homeTexts.orders) as ChannelOrder[];

/** Links to the channels in other orders. */
export function ChannelOrders({ order }: { order: ChannelOrder }) {
  return (
    <nav aria-label={homeTexts.channelOrders}>
      <ul className={`${orderLinks.orders} ${styles.orders}`}>
        {orders.map((one) => (
          <li key={one}>
            <Link href={homeUrl(one)} aria-current={one === order ? 'page' : undefined}>
              {homeTexts.orders[one]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
