import type { Document } from '../../../shared/files.ts';
import { commentLink, documentsUrl } from '../../../shared/routes.ts';
import { Link } from '../../router/navigation.tsx';
import { Time } from '../../ui/time/time.tsx';
import { FileLine } from './file-line.tsx';
import styles from './latest-documents.module.css';

/** The latest files of a channel, with a link to all of them. Shown on desks only. */
export function LatestDocuments({
  channelId,
  documents,
}: {
  channelId: string;
  documents: Document[];
}) {
  return (
    <section data-desk="" aria-labelledby="documentos">
      <div className={`row ${styles.heading}`}>
        <h2 id="documentos">Documentos</h2>
        <Link className="target" href={documentsUrl({ channel: channelId })}>
          Ver todos
        </Link>
      </div>
      <ul className={styles.list}>
        {documents.map((document) => (
          <li key={document.url}>
            <FileLine file={document}>
              <Link href={commentLink(channelId, document.number)}>
                <Time iso={document.createdAt} form="day" />
              </Link>
            </FileLine>
          </li>
        ))}
      </ul>
    </section>
  );
}
