import { accountTexts } from '../account-texts.ts';
import buttons from '../components/button.module.css';
import { copyText } from '../components/copy-text.ts';
import { TextAreaField } from '../components/field.tsx';
import { type Draft, discardDraft, useDraft } from '../storage/drafts.ts';
import { deleteLocalFiles } from '../uploads/local-files.ts';
import type { CommentContent } from './comment-draft.ts';
import { commentTexts } from './comment-texts.ts';

/** The texts of a channel. */
type Texts = Record<'name' | 'description' | 'coverAlt', string>;

/** The texts of a channel as one, to be copied. */
export const joinTexts = ({ name, description, coverAlt }: Texts) =>
  [name, description, coverAlt].filter(Boolean).join('\n\n');

interface UnsentTextProps {
  draft: Draft<CommentContent | Texts>;
  label: string;
  hint?: string;
  onDiscarded: () => void;
}

/** The text of a draft whose form is not shown, with buttons to copy and to discard it. */
export function UnsentText({ draft, label, hint, onDiscarded }: UnsentTextProps) {
  const content = useDraft(draft, (one) => one);
  const isComment = 'text' in content;
  const text = isComment ? content.text : joinTexts(content);
  const imageCount = isComment ? content.images.length + content.uploads.length : 0;
  if (!text && imageCount === 0) return null;
  const discard = () => {
    if (isComment) for (const { key } of content.uploads) deleteLocalFiles(key);
    discardDraft(draft);
    onDiscarded();
  };
  return (
    <>
      {text && <TextAreaField label={label} hint={hint} rows={8} readOnly value={text} />}
      {imageCount > 0 && <p>{commentTexts.queuedImages(imageCount)}</p>}
      <div className="row">
        {text && (
          <button type="button" className={buttons.quiet} onClick={() => copyText(text)}>
            {commentTexts.copy}
          </button>
        )}
        <button type="button" className={buttons.quiet} data-destroys onClick={discard}>
          {accountTexts.discard}
        </button>
      </div>
    </>
  );
}
