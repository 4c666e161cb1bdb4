import { diffWordsWithSpace } from 'diff';
import { useEffect, useRef } from 'react';
import type { CommentKey } from '../../../shared/comment-id.ts';
import { useUserQuery } from '../../api/user-query.ts';
import { commentImageSources } from '../../ui/image-sources.ts';
import { Loaded } from '../../ui/loading/loaded.tsx';
import { Time } from '../../ui/time/time.tsx';
import styles from './comment-versions.module.css';
import { listVersions } from './staff-calls.ts';

/** All versions of a comment, newest first, with the words that each change added and removed. Takes the focus. */
export function CommentVersions({ comment }: { comment: CommentKey }) {
  const list = useRef<HTMLDivElement>(null);
  const query = useUserQuery(listVersions, comment);
  useEffect(() => list.current?.focus(), []);
  return (
    <div ref={list} tabIndex={-1} aria-busy={query.isPending}>
      <Loaded query={query}>
        {({ data }) => (
          <ol className={styles.list} aria-label="Versiones anteriores">
            {data
              .map(({ revision, text, images, until }, index) => (
                <li key={revision}>
                  <p className="note">
                    <span>{until ? 'hasta' : 'Ahora'}</span> {until && <Time iso={until} />}
                  </p>
                  <MarkedText before={data[index - 1]?.text ?? text} text={text} />
                  {images.map(({ url, alt }) => (
                    <img key={url} {...commentImageSources(url, 2)} width={240} alt={alt} />
                  ))}
                </li>
              ))
              .reverse()}
          </ol>
        )}
      </Loaded>
    </div>
  );
}

/** Maximum number of word differences to mark individually. The running time grows with it. */
const maxEditLength = 500;

/** A text in which the words added since an earlier text, and those deleted from it, are marked. */
export function MarkedText({ before, text }: { before: string; text: string }) {
  const whole = [
    { value: before, removed: true, added: false },
    { value: text, removed: false, added: true },
  ];
  const parts = diffWordsWithSpace(before, text, { maxEditLength }) ?? whole;
  return (
    <p className={styles.text} dir="auto">
      {parts.map(({ value, added, removed }, index) => {
        const Mark = added ? 'ins' : removed ? 'del' : 'span';
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity
        return <Mark key={index}>{value}</Mark>;
      })}
    </p>
  );
}
