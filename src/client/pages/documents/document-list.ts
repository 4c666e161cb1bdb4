import { queryOptions } from '@tanstack/react-query';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { DocumentPage } from '../../../shared/files.ts';
import { withQuery } from '../../../shared/routes.ts';
import { defineCall } from '../../api/call.ts';
import { publicKeys } from '../../api/query-client.ts';
import { request } from '../../api/request.ts';

/** A page of the list of files. */
export interface DocumentList {
  /** Words that the names have in them; empty for all files. */
  q: string;
  /** Id of the channel; undefined for all. */
  channel: string | undefined;
  /** Cursor at which the page begins; null for the first. */
  after: string | null;
}

/** @param query without its `?` */
export function readDocumentList(query: string): DocumentList {
  const parameters = new URLSearchParams(query);
  return {
    q: parameters.get('q')?.trim() ?? '',
    channel: parameters.get('channel') || undefined,
    after: parameters.get('after'),
  };
}

const getDocuments = defineCall<DocumentList, DocumentPage>('GET', ({ q, channel, after }) =>
  withQuery(apiRoutes.documents, { q: q || null, channel, after }),
);

export const documentsQuery = (list: DocumentList) =>
  queryOptions({
    queryKey: publicKeys.documents(list),
    queryFn: ({ signal }) => request(getDocuments, list, { signal }),
  });
