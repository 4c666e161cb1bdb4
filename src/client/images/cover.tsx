import { assetRoutes } from '../../shared/routes.ts';
import { type CoverSize, coverSources } from '../ui/image-sources.ts';
import { useImageFallback } from '../ui/use-image-fallback.ts';
import styles from './cover.module.css';

interface CoverProps {
  channelId: string;
  cover: string;
  alt: string;
  size: CoverSize;
  className: string | undefined;
  /** Whether it is the first image of the page and loads with high priority. */
  isFirst: boolean;
}

/** The containing component's styles reserve its space. */
export function Cover({ channelId, cover, alt, size, className, isFirst }: CoverProps) {
  const tiles = assetRoutes.azulejo(channelId);
  const { url, watch } = useImageFallback(cover || tiles, tiles);
  return (
    <img
      {...watch}
      {...coverSources(url, size)}
      className={`${styles.cover} ${className}`}
      width={1000}
      height={400}
      alt={alt}
      loading={isFirst ? 'eager' : 'lazy'}
      fetchPriority={isFirst ? 'high' : 'auto'}
      decoding="async"
      referrerPolicy="no-referrer"
    />
  );
}
