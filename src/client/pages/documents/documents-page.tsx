import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { pages } from '../../../shared/pages.ts';
import { documentsUrl } from '../../../shared/routes.ts';
import { withQueries } from '../../api/with-queries.tsx';
import { Link, useAddress, useQueryString } from '../../router/navigation.tsx';
import { useStore } from '../../state/store-provider.tsx';
import { Loaded } from '../../ui/loading/loaded.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import buttons from '../../ui/styles/button.module.css';
import { texts } from '../../ui/texts.ts';
import { DocumentItem } from './document-item.tsx';
import { type DocumentList, documentsQuery, readDocumentList } from './document-list.ts';
import { DocumentsForm } from './documents-form.tsx';
import styles from './documents-page.module.css';

/** The files of comments, newest first, of all channels or of one. */
function DocumentsPageContent() {
  const { dispatch } = useStore();
  const address = useAddress();
  const list = readDocumentList(useQueryString());
  const query = useQuery({ ...documentsQuery(list), placeholderData: keepPreviousData });
  const channel = query.data?.data.find(({ channel: { _id } }) => _id === list.channel)?.channel;
  const isMissing = query.error?.code === 'invalid_cursor';
  useEffect(() => {
    if (isMissing) dispatch({ type: 'ADDRESS_MISSING', address });
  }, [isMissing, address, dispatch]);

  return (
    <div className={`page ${styles.page}`}>
      <PageTitle>{pages.documents.title}</PageTitle>
      <DocumentsForm list={list} channel={channel} />
      <Loaded query={query}>
        {({ data, next }) => (
          <>
            {list.after !== null && (
              <Link className="target" href={documentsUrl({ ...list, after: null })}>
                {texts.fromTheStart}
              </Link>
            )}
            <p role="status" className={data.length > 0 ? 'visually-hidden' : 'muted'}>
              {data.length > 0 ? foundText(data.length) : emptyText(list, next)}
            </p>
            <ul className={styles.list}>
              {data.map((document) => (
                <DocumentItem
                  key={document.url}
                  document={document}
                  hasChannel={list.channel === undefined}
                />
              ))}
            </ul>
            {next && (
              <Link className={buttons.quiet} href={documentsUrl({ ...list, after: next })}>
                {data.length > 0 ? 'Siguientes' : 'Seguir buscando'}
              </Link>
            )}
          </>
        )}
      </Loaded>
    </div>
  );
}

export const DocumentsPage = withQueries(DocumentsPageContent);

const foundText = (count: number) => (count === 1 ? '1 documento' : `${count} documentos`);

function emptyText({ q, channel, after }: DocumentList, next: string | null): string {
  if (next) return 'Nada en los documentos más recientes.';
  if (q) return 'Ningún documento tiene eso en el nombre. Prueba con otra palabra.';
  if (after) return 'No hay más documentos.';
  return channel
    ? 'En este canal aún no hay documentos. Se añaden a un comentario, con «Añadir…».'
    : 'Aún no hay documentos. Se añaden a un comentario de un canal, con «Añadir…».';
}
