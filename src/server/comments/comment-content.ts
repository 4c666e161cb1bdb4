import type { CommentEdit } from '../../shared/comments.ts';
import { limits } from '../../shared/limits.ts';
import {
  countStoredChars,
  type MentionRange,
  type StoredText,
  toStoredText,
} from '../database/stored-text.ts';
import { countChars, type FieldParser } from '../http/field-parser.ts';

/** What an author writes in a comment, ready to be stored. */
export interface CommentContent {
  /** Trimmed and in NFC. */
  text: StoredText;
  /** Paths of this site. */
  images: { url: string; alt: string }[];
}

/** The sign and a name of as many characters as names may have, each a surrogate pair. */
const maxMentionLength = 1 + 2 * limits.userNameChars;
/** A character that belongs to the one before it: a mark, a skin tone or a joiner. */
const continues = /^(?:\p{M}|\p{Emoji_Modifier}|\u200d)/u;

/**
 * Parses the text of a comment with its mentions, which count as one character each, and its images; call
 * `fields.done()` before using it. Whether the accounts and images exist is checked when it is stored (save-content.ts).
 * @param ownOrigins as in `FieldParser.imageUrl`
 */
export function parseCommentContent(
  fields: FieldParser,
  body: CommentEdit,
  ownOrigins: string[],
): CommentContent {
  const mentions = (body.mentions ?? []).toSorted((one, other) => one.start - other.start);
  const count = (text: string) =>
    areMentionsOf(text, mentions)
      ? countStoredChars(toStoredText(text, mentions))
      : countChars(text);
  const plain = fields.text('comment', body.comment, limits.commentChars, count);
  if (!areMentionsOf(plain, mentions)) {
    fields.reject('mentions', 'Una mención no encaja en el texto. Bórrala y vuelve a ponerla.');
  }
  const images = (body.images ?? []).map(({ url, alt }) => ({
    url: fields.uploadedImage('images', url, ownOrigins),
    alt: fields.optionalText('images', alt, limits.imageAltChars),
  }));
  return { text: toStoredText(plain, mentions), images };
}

/** Whether each range begins at an `@`, ends between two characters, and begins after the one before. */
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
      // No id has them; they would end its token, or PostgreSQL could not store it.
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
