import { type ComponentProps, type KeyboardEvent, useId, useRef } from 'react';
import { useDraft } from '../../storage/drafts.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { TextAreaField } from '../../ui/forms/field.tsx';
import { Time } from '../../ui/time/time.tsx';
import styles from './comment-text-field.module.css';
import { type ComposerDraft, carriesNothing } from './composer-draft.ts';
import { useMentions } from './use-mentions.ts';

interface CommentTextFieldProps extends ComponentProps<typeof TextAreaField> {
  draft: ComposerDraft;
  channelId: string;
}

/** The text field of a comment, stored in its draft, with suggestions of people after an `@`. */
export function CommentTextField({ draft, channelId, ...textarea }: CommentTextFieldProps) {
  const listId = useId();
  const box = useRef<HTMLDivElement>(null);
  const { list, update, followCaret, choose, close, replaceBlank, onKeyDown } = useMentions(
    draft,
    channelId,
  );
  const text = useDraft(draft, ({ text }) => text);
  const needsText = useDraft(draft, carriesNothing);

  const handleKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // This key ends an IME composition. Safari reports the end before the key, and only key code 229 tells it apart.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    onKeyDown(event);
  };

  const optionId = (index: number) => `${listId}-${index}`;
  return (
    <div ref={box} className={styles.box}>
      <TextAreaField
        {...textarea}
        name="comment"
        data-draft
        required={needsText}
        value={text}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        {...(list && { 'aria-controls': listId, 'aria-activedescendant': optionId(list.active) })}
        onChange={(event) => update(event.currentTarget)}
        onBeforeInput={replaceBlank}
        onSelect={(event) => followCaret(event.currentTarget)}
        onBlur={close}
        onKeyDown={handleKey}
      />
      <p className="visually-hidden" role="status">
        {list && candidates(list.candidates.length)}
      </p>
      {list && (
        <div
          ref={showWhole}
          id={listId}
          className={`popup ${styles.list}`}
          role="listbox"
          aria-label="Personas a las que puedes mencionar"
        >
          {list.candidates.map((candidate, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
            <div
              key={candidate.id}
              ref={index === list.active ? showWhole : undefined}
              id={optionId(index)}
              className={styles.option}
              role="option"
              aria-selected={index === list.active}
              // Keeps the focus in the field.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => {
                const field = box.current?.querySelector('textarea');
                if (field) choose(field, candidate);
              }}
            >
              <Avatar img={candidate.img} size={30} isEager />
              <span>
                <bdi className={styles.name}>{candidate.name}</bdi>
                <span className="note">
                  {candidate.lastCommentAt ? (
                    <span>
                      escribió aquí <Time iso={candidate.lastCommentAt} />
                    </span>
                  ) : (
                    'aún no ha escrito aquí'
                  )}
                </span>
              </span>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

const showWhole = (part: HTMLElement | null) => part?.scrollIntoView({ block: 'nearest' });

function candidates(count: number): string {
  return count === 1
    ? '1 persona: elige con las flechas y pulsa Intro'
    : `${count} personas: elige con las flechas y pulsa Intro`;
}
