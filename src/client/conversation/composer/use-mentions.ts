import { useQuery } from '@tanstack/react-query';
import { type InputEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { MentionCandidate } from '../../../shared/people.ts';
import { accountKey } from '../../api/query-client.ts';
import { request } from '../../api/request.ts';
import { useUser } from '../../state/store-provider.tsx';
import { readDraft } from '../../storage/drafts.ts';
import { listCandidates } from '../change-comment-calls.ts';
import { type ComposerDraft, changeComposer } from './composer-draft.ts';
import { findMentionQuery, followEdit, type MentionQuery } from './mention-ranges.ts';

/** Pause in typing before candidates are fetched. */
const pauseMs = 150;

/** The suggestions shown while a name is typed after an `@`. Stores the text and its mentions in the draft. */
export function useMentions(draft: ComposerDraft, channelId: string) {
  const [query, setQuery] = useState<MentionQuery | null>(null);
  const [moved, setMoved] = useState<{ to: number; of: MentionCandidate[] } | null>(null);
  const { id: userId } = useUser();
  /** An `@` without suggestions: its name was chosen, the list was closed, or no name begins with its text. */
  const ignored = useRef<MentionQuery | null>(null);

  /** The position of the caret behind a blank that was added with a name; -1 once something else was typed. */
  const afterBlank = useRef(-1);

  const { start, prefix = '' } = query ?? {};
  const { data: candidates = [], isSuccess } = useQuery({
    queryKey: [...accountKey(userId), 'candidates', channelId, start, prefix],
    async queryFn({ signal }) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      // Typing another letter during the pause aborts this request and starts another one.
      signal.throwIfAborted();
      const search = { channel: channelId, prefix };
      return (await request(listCandidates, search, { signal, isBackground: true })).data;
    },
    enabled: query !== null,
    // Until the response arrives, shows the candidates for the shorter prefix of the same name.
    placeholderData: (shown, before) => (before?.queryKey.at(-2) === start ? shown : undefined),
  });
  const active = moved?.of === candidates ? moved.to : 0;
  const list = query && candidates.length > 0 ? { query, candidates, active } : null;
  useEffect(() => {
    if (isSuccess && candidates.length === 0) ignored.current = query;
  }, [isSuccess, candidates, query]);

  const close = () => setQuery(null);

  const update = (field: HTMLTextAreaElement) => {
    afterBlank.current = -1;
    const { value, selectionStart, selectionEnd } = field;
    const { text, mentions } = readDraft(draft);
    const typed = { text: value, mentions: followEdit(mentions, text, value) };
    changeComposer(draft, typed, true);
    const found = selectionStart === selectionEnd && findMentionQuery(value.slice(0, selectionEnd));
    const { start, prefix = '' } = ignored.current ?? {};
    if (!found || found.start !== start) ignored.current = null;
    else if (found.prefix.startsWith(prefix)) return close();
    if (!found) return close();
    setQuery(found);
  };

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
    // Unlike setting the field's value, this can be undone; `update` stores the text.
    const blank = /^\s/.test(field.value.slice(field.selectionEnd)) ? '' : ' ';
    document.execCommand('insertText', false, name + blank);
    if (blank) afterBlank.current = field.selectionEnd;
    const mention = { start, length: name.length, accountId: candidate.id };
    const others = readDraft(draft).mentions.filter((one) => one.start !== start);
    changeComposer(draft, { mentions: [...others, mention].sort((a, b) => a.start - b.start) });
    ignored.current = { start, prefix: candidate.name };
    close();
  };

  /** Lets a punctuation mark, or another blank, take the place of the blank that was added with a name. */
  const replaceBlank = (event: InputEvent<HTMLTextAreaElement>) => {
    const { data, currentTarget } = event;
    const { selectionStart, selectionEnd } = currentTarget;
    const isBehind = selectionStart === afterBlank.current && selectionEnd === afterBlank.current;
    if (isBehind && /^[\s.,;:!?]/.test(data))
      currentTarget.setSelectionRange(selectionEnd - 1, selectionEnd);
  };

  /** Handles the keys of the list, and leaves all others to the form. */
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    const { key, currentTarget, ctrlKey, metaKey, shiftKey } = event;
    if (!list || ctrlKey || metaKey) return;
    if (!query || !isAtEnd(currentTarget, query)) {
      close();
      return;
    }
    const { candidates, active } = list;
    const move = (step: number) =>
      setMoved({ of: candidates, to: (active + step + candidates.length) % candidates.length });
    if (key === 'ArrowDown') move(1);
    else if (key === 'ArrowUp') move(-1);
    else if (key === 'Enter' && !shiftKey) choose(currentTarget, candidates[active]);
    else if (key === 'Escape') {
      ignored.current = { start: list.query.start, prefix: '' };
      close();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return { list, update, followCaret, choose, close, replaceBlank, onKeyDown };
}

/** Whether the caret is at the end of the partly typed name. */
function isAtEnd(
  { selectionStart, selectionEnd }: HTMLTextAreaElement,
  { start, prefix }: MentionQuery,
): boolean {
  return selectionStart === selectionEnd && selectionEnd === start + 1 + prefix.length;
}
