import {
  type KeyboardEvent,
  type MouseEvent,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { CommentImage } from '../../../shared/comments.ts';
import { entryState } from '../../router/entry-state.ts';
import { Icon } from '../../ui/icons.tsx';
import buttons from '../../ui/styles/button.module.css';
import { readingTexts } from '../reading-texts.ts';
import styles from './image-viewer.module.css';

interface ImageViewerProps {
  images: CommentImage[];
  /** Index of the image shown first. */
  first: number;
  onClosed: () => void;
}

/**
 * Shows a comment's images over the page, one at a time: a row moved by swiping or with the arrow keys. A history
 * entry is added, so that Back closes the viewer.
 */
export function ImageViewer({ images, first, onClosed }: ImageViewerProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const row = useRef<HTMLDivElement>(null);
  const [index, setIndex] = useState(first);
  const close = () => dialog.current?.close();

  const onPopState = useEffectEvent(onClosed);
  // A layout effect, so that the history entry exists before somebody can close the images.
  useLayoutEffect(() => {
    // After a reload or Forward, the current entry may already be that of a closed viewer.
    if (!entryState().isOfImages) history.pushState({ ...entryState(), isOfImages: true }, '');
    const stop = new AbortController();
    addEventListener('popstate', onPopState, stop);
    return () => {
      stop.abort();
      leaveEntry();
    };
  }, []);

  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    row.current?.scrollTo({ left: first * row.current.clientWidth });
    return () => current?.close();
  }, [first]);

  const move = (step: number) => {
    const { current } = row;
    if (current) current.scrollTo({ left: (indexShown(current) + step) * current.clientWidth });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
    event.preventDefault();
    move(event.key === 'ArrowRight' ? 1 : -1);
  };
  const closeBeside = ({ target, currentTarget }: MouseEvent) => {
    if (target === currentTarget) close();
  };

  const { alt, url } = images[index] ?? { alt: '', url: '' };
  return (
    <dialog
      ref={dialog}
      className={styles.viewer}
      aria-label="Imágenes del comentario"
      onClose={leaveEntry}
      onKeyDown={onKeyDown}
    >
      <button
        type="button"
        className={`${buttons.round} ${styles.close}`}
        aria-label="Cerrar"
        onClick={close}
      >
        <Icon size={20} path="M18 6 6 18M6 6l12 12" />
      </button>
      <div
        ref={row}
        className={styles.row}
        // A scrollable row would otherwise be a tab stop; the arrow keys work without it.
        tabIndex={-1}
        onScroll={({ currentTarget }) => setIndex(indexShown(currentTarget))}
      >
        {images.map((image, place) => (
          <div
            key={image.url}
            className={styles.place}
            aria-hidden={place !== index}
            onClick={closeBeside}
          >
            {/* Screen readers find an alternative text below the image, where everybody sees it. */}
            <img
              src={image.url}
              className={styles.image}
              alt={image.alt ? '' : readingTexts.imageOf(place + 1, images.length)}
            />
          </div>
        ))}
      </div>
      {/* The label is for browsers that make scrollable parts a tab stop. */}
      <section className={styles.about} aria-label="Qué se ve en la foto">
        <p aria-live="polite">
          {images.length > 1 && <span>{`${index + 1} de ${images.length}`} </span>}
          <span dir="auto">{alt}</span>
        </p>
      </section>
      <div className={styles.foot}>
        {images.length > 1 && (
          <button
            type="button"
            className={buttons.round}
            aria-label="Imagen anterior"
            aria-disabled={index === 0}
            onClick={() => move(-1)}
          >
            <Icon size={20} path="m15 18-6-6 6-6" />
          </button>
        )}
        <a className="tall" href={url} target="_blank" rel="noopener">
          Ver a tamaño completo
        </a>
        {images.length > 1 && (
          <button
            type="button"
            className={buttons.round}
            aria-label="Imagen siguiente"
            aria-disabled={index === images.length - 1}
            onClick={() => move(1)}
          >
            <Icon size={20} path="m9 18 6-6-6-6" />
          </button>
        )}
      </div>
    </dialog>
  );
}

/** Leaves the viewer's history entry, unless Back or another page has already left it. */
function leaveEntry(): void {
  if (entryState().isOfImages) history.back();
}

const indexShown = ({ scrollLeft, clientWidth }: HTMLElement) =>
  Math.round(scrollLeft / clientWidth);
