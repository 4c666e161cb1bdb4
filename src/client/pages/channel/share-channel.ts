import type { Channel } from '../../../shared/channels.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { shareLink } from '../../ui/status/share.ts';

export const shareChannel = ({ _id, name, autor }: Pick<Channel, '_id' | 'name' | 'autor'>) =>
  shareLink(pageRoutes.channel(_id), { title: name, text: `«${name}», un canal de ${autor}` });
