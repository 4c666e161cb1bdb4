import { bulletedText, oneLine } from '../../../shared/clean-text.ts';
import { maxNumber } from '../../../shared/comment-id.ts';
import type { CommentEdit, NewComment } from '../../../shared/comments.ts';
import { limits } from '../../../shared/limits.ts';
import { countChars, type FieldParser } from '../../http/field-parser.ts';
import { fileNameOf } from '../../images/stored-file.ts';
import {
  countStoredChars,
  type MentionRange,
  type StoredText,
  toStoredText,
} from '../../texts/stored-text.ts';

/** Content of a comment, checked and ready to be stored. */
export interface CommentContent {
  /** Trimmed and in NFC. */
  text: StoredText;
  /** URLs are paths of this site, as those of files. */
  images: { url: string; alt: string }[];
}

/** A file of a new comment, with the name that its URL ends with. */
export interface SentFile {
  url: string;
  name: string;
}

export const unknownComment = 'El comentario al que respondes no existe. Quita la respuesta.';

/** Length of `@` and the longest name, with a surrogate pair for each character. */
const maxMentionLength = 1 + 2 * limits.userNameChars;
/** Matches a character that continues the previous one: a mark, a skin tone or a joiner. */
const continues = /^(?:\p{M}|\p{Emoji_Modifier}|\u200d)/u;

/**
 * Parses the text, mentions and images of a comment. Each mention counts as one character; with an image, or if it
 * carries something else, the text may be empty. Call `fields.done()` before using the result. `checkContent` in post-comment.ts checks that the accounts
 * and images exist.
 * @param siteOrigins returns the `siteOrigins` of `FieldParser.imageUrl`
 */
export function parseCommentContent(
  fields: FieldParser,
  body: CommentEdit,
  siteOrigins: () => string[],
  carries = false,
): CommentContent {
  const mentions = (body.mentions ?? []).toSorted((one, other) => one.start - other.start);
  const count = (text: string) =>
    areMentionsOf(text, mentions)
      ? countStoredChars(toStoredText(text, mentions))
      : countChars(text);
  const parse = carries || body.images?.length ? 'optionalText' : 'text';
  const written = bulletedText(body.comment);
  const plain = fields[parse]('comment', written, limits.commentChars, count);
  if (!areMentionsOf(plain, mentions)) {
    fields.reject('mentions', 'Una mención no encaja en el texto. Bórrala y vuelve a ponerla.');
  }
  const images = (body.images ?? []).map(({ url, alt }) => ({
    url: fields.uploaded('images', url, siteOrigins()),
    alt: fields.optionalText('images', oneLine(alt), limits.imageAltChars),
  }));
  return { text: toStoredText(plain, mentions), images };
}

/** Whether each range begins at an `@`, ends between two characters and does not overlap another. */
function areMentionsOf(text: string, mentions: MentionRange[]): boolean {
  let end = 0;
  return mentions.every(({ start, length, accountId }) => {
    const isAfterOther = start >= end;
    end = start + length;
    return (
      isAfterOther &&
      length >= 2 &&
      length <= maxMentionLength &&
      end <= text.length &&
      text[start] === '@' &&
      !splitsCharacter(text, end) &&
      // Control characters would end the mention's token.
      !/\p{Cc}/u.test(accountId)
    );
  });
}

function splitsCharacter(text: string, at: number): boolean {
  const next = text.codePointAt(at);
  if (next === undefined) return false;
  const isLowSurrogate = next >= 0xdc00 && next <= 0xdfff;
  return isLowSurrogate || continues.test(String.fromCodePoint(next));
}

/** @returns the number of the comment being replied to; call `fields.done()` before using it */
export function parseReplyTo(
  fields: FieldParser,
  { replyTo = null }: Pick<NewComment, 'replyTo'>,
): number | null {
  if (replyTo !== null && (replyTo < 1 || replyTo > maxNumber))
    fields.reject('replyTo', unknownComment);
  return replyTo;
}

/** Parses the files of a new comment; call `fields.done()` before using them. `checkContent` checks that they exist. */
export function parseFiles(
  fields: FieldParser,
  { files = [] }: Pick<NewComment, 'files'>,
  siteOrigins: () => string[],
): SentFile[] {
  const urls = files.map(({ url }) => fields.uploaded('files', url, siteOrigins()));
  if (new Set(urls).size < urls.length) fields.reject('files', 'Pon cada archivo una sola vez.');
  return urls.map((url) => ({ url, name: fileNameOf(decodeURIComponent(url)) }));
}
