import { useInfiniteQuery } from '@tanstack/react-query';
import type { Dispatch, ReactNode } from 'react';
import type { CommentImage } from '../../shared/comments.ts';
import type { CommentFile } from '../../shared/files.ts';
import { ownWords } from '../../shared/own-words.ts';
import { pageRoutes } from '../../shared/routes.ts';
import type { Trash as TrashContent } from '../../shared/trash.ts';
import { wholeCharacters } from '../../shared/whole-characters.ts';
import { accountKey } from '../api/query-client.ts';
import { request } from '../api/request.ts';
import { carriedName } from '../conversation/carried-name.ts';
import { restoreChannel } from '../conversation/delete-channel.ts';
import { restoreComment } from '../conversation/item/delete-comment.ts';
import { focusElement } from '../dom/focus-element.ts';
import type { Action } from '../state/actions.ts';
import { useStore, useUser } from '../state/store-provider.tsx';
import { commentImageSources } from '../ui/image-sources.ts';
import { Paged } from '../ui/loading/more-link.tsx';
import { LoadFailure } from '../ui/notice.tsx';
import lists from '../ui/styles/list.module.css';
import { shortDate } from '../ui/time/short-date.ts';
import { Item } from './item.tsx';
import { listTrash } from './settings-calls.ts';
import { SettingsSection } from './settings-section.tsx';
import trashStyles from './trash.module.css';

const headingId = 'papelera';

interface TrashItem {
  key: string;
  kind: ReactNode;
  text: string;
  images: CommentImage[];
  files: CommentFile[];
  expiresAt: string;
  restore: (dispatch: Dispatch<Action>) => Promise<boolean>;
}

/** The account's deleted comments and channels, page by page. */
export function useTrash() {
  const { id } = useUser();
  return useInfiniteQuery({
    queryKey: [...accountKey(id), 'trash'],
    queryFn: ({ pageParam, signal }) => request(listTrash, pageParam, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
}

/** The section for deleted comments and channels, with buttons to restore them. */
export function Trash() {
  const { dispatch } = useStore();
  const trash = useTrash();
  const { data, hasNextPage, refetch } = trash;
  const items = data?.pages.flatMap(itemsOf);

  const restore = async (item: TrashItem) => {
    if (!(await item.restore(dispatch))) return;
    await refetch();
    // The button that had the focus is removed.
    focusElement(headingId);
  };

  return (
    <SettingsSection id={headingId} title="Papelera">
      {!items && <LoadFailure message="No se pudo cargar la papelera" onRetry={() => refetch()} />}
      {items?.length === 0 && !hasNextPage && (
        <p className="note">No has eliminado nada que se pueda recuperar.</p>
      )}
      {items && items.length > 0 && (
        <ul className={`frame ${lists.list}`}>
          {items.map((item) => (
            <Item
              key={item.key}
              label="Recuperar"
              fullLabel={`Recuperar: ${wholeCharacters(item.text || carriedName({ event: null, files: item.files }), 80)}`}
              run={() => restore(item)}
            >
              <p className="note">{item.kind}</p>
              <p className="clamped" dir="auto">
                {item.text}
              </p>
              {item.images.length > 0 && (
                <p className={`row tight ${trashStyles.images}`}>
                  {item.images.map(({ url, alt }, index) => (
                    <img
                      key={url}
                      {...commentImageSources(url, item.images.length)}
                      width={80}
                      height={60}
                      alt={alt || `Imagen ${index + 1} del comentario`}
                      loading="lazy"
                    />
                  ))}
                </p>
              )}
              {item.files.map(({ url, name }) => (
                <p key={url}>
                  <bdi>{name}</bdi>
                </p>
              ))}
              <p className="note">{`Se puede recuperar hasta el ${shortDate(item.expiresAt)}`}</p>
            </Item>
          ))}
        </ul>
      )}
      <Paged query={trash} href={`${pageRoutes.settings}#${headingId}`} label="Ver más" />
    </SettingsSection>
  );
}

function itemsOf({ data, channels }: TrashContent): TrashItem[] {
  const deleted = [
    ...data.map(({ comment, channelName, deletedAt, expiresAt }) => ({
      key: comment.id,
      kind: (
        <>
          <span>Comentario en</span> <bdi>{channelName}</bdi>
        </>
      ),
      text: ownWords(comment.comment),
      images: comment.images,
      files: comment.files,
      deletedAt,
      expiresAt,
      restore: (dispatch: Dispatch<Action>) => restoreComment(comment, dispatch),
    })),
    ...channels.map(({ channelId, name, deletedAt, expiresAt }) => ({
      key: channelId,
      kind: 'Canal',
      text: name,
      images: [],
      files: [],
      deletedAt,
      expiresAt,
      restore: (dispatch: Dispatch<Action>) => restoreChannel(channelId, dispatch),
    })),
  ];
  return deleted.sort((a, b) => b.deletedAt.localeCompare(a.deletedAt));
}
