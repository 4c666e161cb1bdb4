import { assetRoutes } from '../../shared/routes.ts';
import styles from './avatar.module.css';
import { avatarSources } from './image-sources.ts';
import { useImageFallback } from './use-image-fallback.ts';

interface AvatarProps {
  /** Empty or null: the silhouette. */
  img: string | null;
  /** Pixels, both ways. */
  size: number;
  isEager?: boolean;
}

/** A round image beside a name, and so without one of its own. */
export function Avatar({ img, size, isEager = false }: AvatarProps) {
  const silhouette = assetRoutes.defaultAvatar;
  const { url, watch } = useImageFallback(img || silhouette, silhouette);
  return (
    <img
      {...watch}
      {...avatarSources(url, size)}
      className={styles.avatar}
      width={size}
      height={size}
      alt=""
      loading={isEager ? 'eager' : 'lazy'}
      decoding="async"
      referrerPolicy="no-referrer"
    />
  );
}
