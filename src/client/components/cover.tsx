import { assetRoutes } from '../../shared/routes.ts';
import { useImageFallback } from './use-image-fallback.ts';

interface CoverProps {
  channelId: string;
  cover: string;
  alt: string;
  className: string | undefined;
  /** The picture that the page is first seen by. */
  isFirst: boolean;
}

/** Its place is kept free by the style of whoever shows it. */
export function Cover({ channelId, cover, alt, className, isFirst }: CoverProps) {
  const tiles = assetRoutes.azulejo(channelId);
  const image = useImageFallback(cover || tiles, tiles);
  return (
    <img
      {...image}
      className={className}
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
