import type { Document } from '../../../shared/files.ts';
import { commentLink, documentsUrl } from '../../../shared/routes.ts';
import { FileLine } from '../../conversation/files/file-line.tsx';
import { Link } from '../../router/navigation.tsx';
import { Time } from '../../ui/time/time.tsx';

interface DocumentItemProps {
  document: Document;
  /** Whether the channel is named, as a link to its files. */
  hasChannel: boolean;
}

/** One file of the list. Its day leads to the comment. */
export function DocumentItem({ document, hasChannel }: DocumentItemProps) {
  const { channel, number, autor, createdAt } = document;
  return (
    <li>
      <FileLine file={document}>
        {hasChannel && (
          <Link className="tall" href={documentsUrl({ channel: channel._id })}>
            <bdi>{channel.name}</bdi>
          </Link>
        )}
        <bdi>{autor}</bdi>
        <Link className="tall" href={commentLink(channel._id, number)}>
          <Time iso={createdAt} form="day" />
        </Link>
      </FileLine>
    </li>
  );
}
