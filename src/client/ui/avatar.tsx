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
  id: string;
  name: string;
  className?: string | undefined;
  /** An imported person, who has no page. */
  isImported?: boolean | undefined;
}

/** An author's name, which links to the author's page. An erased account has no page, nor has an imported person. */
export function AutorLink({ id, name, className, isImported }: AutorLinkProps) {
  if (name === erasedName) return <span className={className}>{name}</span>;
  if (isImported)
    return (
      <span className={className}>
        <bdi>{name}</bdi> <span className="badge muted">del grupo de antes</span>
      </span>
    );
  return (
    <Link className={className} href={pageRoutes.user(id)}>
      <bdi>{name}</bdi>
    </Link>
  );
}
