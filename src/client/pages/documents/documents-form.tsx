import { type FormEvent, useLayoutEffect, useRef } from 'react';
import { documentsUrl, pageRoutes } from '../../../shared/routes.ts';
import { go, Link } from '../../router/navigation.tsx';
import buttons from '../../ui/styles/button.module.css';
import { SearchField } from '../search/search-field.tsx';
import type { DocumentList } from './document-list.ts';

interface DocumentsFormProps {
  list: DocumentList;
  /** The channel whose files are listed, if there are any. */
  channel: { name: string } | undefined;
}

/** The field for a part of the names, and the channel that limits the list. */
export function DocumentsForm({ list: { q, channel: channelId }, channel }: DocumentsFormProps) {
  const field = useRef<HTMLInputElement>(null);
  // The list has changed by Back, or by a link to another one.
  useLayoutEffect(() => {
    if (field.current && field.current.value.trim() !== q) field.current.value = q;
  }, [q]);
  const search = (event: FormEvent) => {
    event.preventDefault();
    go(documentsUrl({ q: field.current?.value.trim() ?? '', channel: channelId }));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: not every screen reader knows <search>
    <form role="search" action={pageRoutes.documents} className="stack tight" onSubmit={search}>
      <div className="row tight field-row">
        <SearchField
          ref={field}
          defaultValue={q}
          aria-label="Buscar documentos por su nombre"
          placeholder="Nombre"
        />
        <button type="submit" className={buttons.primary}>
          Buscar
        </button>
      </div>
      {channelId && <input type="hidden" name="channel" value={channelId} />}
      {channelId && (
        <p className="links row">
          {channel && (
            <span>
              <span>En</span>{' '}
              <strong>
                <bdi>{channel.name}</bdi>
              </strong>
            </span>
          )}
          <Link href={documentsUrl({ q })}>Ver los de todos los canales</Link>
        </p>
      )}
    </form>
  );
}
