import { assetRoutes } from '../../shared/routes.ts';
import styles from './avatar.module.css';
import { avatarSources } from './image-sources.ts';
import { useImageFallback } from './use-image-fallback.ts';

interface AvatarProps {
  /** Address of the image; empty or null shows the silhouette. */
  img: string | null;
  /** Width and height in CSS pixels. */
  size: number;
  isEager?: boolean;
}

/** A round profile image. Its `alt` is empty, because it is shown beside the name. */
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
