import { erasedName } from '../../shared/erased-name.ts';
import { assetRoutes, pageRoutes } from '../../shared/routes.ts';
import { Link } from '../router/navigation.tsx';
import styles from './avatar.module.css';
import { avatarSource } from './image-sources.ts';
import { useImageFallback } from './use-image-fallback.ts';

interface AvatarProps {
  /** URL of the image; the silhouette if it is empty or null. */
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
      src={avatarSource(url, size)}
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

interface AutorLinkProps {
  /** Empty for an imported person. */
  id: string;
  name: string;
  className?: string | undefined;
}

/** An author's name, which links to the author's page. An erased account and an imported person have no page. */
export function AutorLink({ id, name, className }: AutorLinkProps) {
  const shown = <bdi>{name}</bdi>;
  if (!id || name === erasedName) return <span className={className}>{shown}</span>;
  return (
    <Link className={className} href={pageRoutes.user(id)}>
      {shown}
    </Link>
  );
}
