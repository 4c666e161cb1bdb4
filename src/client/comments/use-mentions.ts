import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { MentionCandidate } from '../../shared/people.ts';
import { Failure, orFailure } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { changeDraft, readDraft } from '../storage/drafts.ts';
import { listCandidates } from './comment-calls.ts';
import type { CommentDraft } from './comment-draft.ts';
import { findMentionQuery, followEdit, type MentionQuery } from './mention-ranges.ts';

/** A pause in typing after which candidates are fetched. */
const pauseMs = 150;

interface OpenList {
  query: MentionQuery;
  candidates: MentionCandidate[];
  active: number;
}

/**
 * The list of people that opens while a name is typed after an `@`. Stores the text and its mentions
 * in the draft.
 */
export function useMentions(draft: CommentDraft, channelId: string) {
  const [query, setQuery] = useState<MentionQuery | null>(null);
  const [list, setList] = useState<OpenList | null>(null);
  /** An `@` that is not asked about: a name was chosen there, the list closed, or no name begins like its text. */
  const ignored = useRef<MentionQuery | null>(null);

  useEffect(() => {
    if (!query) return;
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      const { signal } = controller;
      const search = { channel: channelId, prefix: query.prefix };
      const answer = await orFailure(
        request(listCandidates, search, { signal, isBackground: true }),
      );
      if (signal.aborted) return;
      const hasFailed = answer instanceof Failure;
      const candidates = hasFailed ? [] : answer.data;
      if (!hasFailed && candidates.length === 0) ignored.current = query;
      setList(candidates.length > 0 ? { query, candidates, active: 0 } : null);
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [query, channelId]);

  const close = () => {
    setQuery(null);
    setList(null);
  };

  const update = (field: HTMLTextAreaElement) => {
    const { value, selectionStart, selectionEnd } = field;
    const { text, mentions } = readDraft(draft);
    changeDraft(draft, { text: value, mentions: followEdit(mentions, text, value) });
    const found = selectionStart === selectionEnd && findMentionQuery(value.slice(0, selectionEnd));
    const { start, prefix = '' } = ignored.current ?? {};
    if (!found || found.start !== start) ignored.current = null;
    else if (found.prefix.startsWith(prefix)) return close();
    if (!found) return close();
    if (list && list.query.start !== found.start) setList(null);
    setQuery(found);
  };

  /** Closes the list when the caret leaves the name. */
  const followCaret = (field: HTMLTextAreaElement) => {
    if (query && !isAtEnd(field, query)) close();
  };

  const choose = (field: HTMLTextAreaElement, candidate: MentionCandidate | undefined) => {
    if (!list || !candidate) return;
    if (!query || !isAtEnd(field, query)) return close();
    const { start } = query;
    const name = `@${candidate.name}`;
    field.focus();
    field.setSelectionRange(start, field.selectionEnd);
    // Unlike a new value, this can be undone; `update` stores the text.
    document.execCommand('insertText', false, name);
    const mention = { start, length: name.length, accountId: candidate.id };
    const others = readDraft(draft).mentions.filter((one) => one.start !== start);
    changeDraft(draft, { mentions: [...others, mention].sort((a, b) => a.start - b.start) });
    ignored.current = { start, prefix: candidate.name };
    close();
  };

  /** @returns whether the key was for the list */
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): boolean => {
    const { key, currentTarget, ctrlKey, metaKey, shiftKey } = event;
    if (!list || ctrlKey || metaKey) return false;
    if (!query || !isAtEnd(currentTarget, query)) {
      close();
      return false;
    }
    const { candidates, active } = list;
    const move = (step: number) =>
      setList({ ...list, active: (active + step + candidates.length) % candidates.length });
    if (key === 'ArrowDown') move(1);
    else if (key === 'ArrowUp') move(-1);
    else if (key === 'Enter' && !shiftKey) choose(currentTarget, candidates[active]);
    else if (key === 'Escape') {
      ignored.current = { start: list.query.start, prefix: '' };
      close();
    } else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };

  return { list, update, followCaret, choose, close, onKeyDown };
}

/** Whether the caret is behind what is typed of a name. */
function isAtEnd(
  { selectionStart, selectionEnd }: HTMLTextAreaElement,
  { start, prefix }: MentionQuery,
): boolean {
  return selectionStart === selectionEnd && selectionEnd === start + 1 + prefix.length;
}
