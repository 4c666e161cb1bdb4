import { Link } from '../../router/navigation.tsx';
import { dot } from '../../ui/texts.ts';
import styles from './comment-item.module.css';

interface ReplyLineProps {
  id?: string;
  /** The address of the original comment. */
  href: string;
  /** The original comment's author, or '' when it was deleted. */
  autor: string;
  /** The beginning of the original comment; none where that is right above. */
  excerpt?: string;
}

export function ReplyLine({ id, href, autor, excerpt }: ReplyLineProps) {
  if (!autor)
    return <p className={`quoted ${styles.reply}`}>En respuesta a un comentario eliminado</p>;
  return (
    <p id={id} className={`quoted ${styles.reply}`}>
      <Link className="plain clamped" href={href}>
        <span>En respuesta a</span> <bdi>{autor}</bdi>
        {excerpt && (
          <>
            <span>{dot}</span>
            <q>{excerpt}</q>
          </>
        )}
      </Link>
    </p>
  );
}
