import type { ChannelOrder } from '../../../shared/channels.ts';
import { homeUrl } from '../../../shared/routes.ts';
import { Link } from '../../dom/navigation.tsx';
import styles from '../../ui/styles/orders.module.css';

const ordersTexts = {
  comments: 'Más comentados',
  activity: 'Actividad reciente',
  new: 'Nuevos',
} as const;

const orders = Object.keys(ordersTexts) as ChannelOrder[];

/** Links to the channels in other orders. */
export function ChannelOrders({ order }: { order: ChannelOrder }) {
  return (
    <nav aria-label="Orden de los canales">
      <ul className={`links row ${styles.orders}`}>
        {orders.map((one) => (
          <li key={one}>
            <Link href={homeUrl(one)} aria-current={one === order ? 'page' : undefined}>
              {ordersTexts[one]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
