export interface DemoComment {
  /** Key of a demo person. */
  author: string;
  /** `@{key}` mentions that person. */
  text: string;
  /** Number of the comment that it replies to. */
  reply?: number;
  /** Keys of people who give thanks. */
  thanks: string[];
  /** Names of files in `pictures/`, without extension, with their alternative texts. */
  images: { name: string; alt: string }[];
  /** The text before the author's edit, and the minutes until the edit. */
  edit?: { before: string; afterMinutes: number };
  /** Minutes until the author deleted it. */
  deletedAfterMinutes?: number;
}

/**
 * Parses comments, each preceded by `@` and the key of its author. Texts may have paragraphs. Lines of `+ field:
 * value` at the end describe later events: `replies-to: key «words»` (that person's last earlier comment, or the last
 * one that contains the words, which are optional), `thanks: key key`, `image: name alternative text`,
 * `edited-after-minutes: 3` with `before: text`, `deleted-after-minutes: 4`.
 * @param requirePerson throws when no person has this key
 * @throws when a field is unknown or a reply refers to no earlier comment
 */
export function parseComments(
  source: string,
  requirePerson: (key: string) => string,
): DemoComment[] {
  const comments: DemoComment[] = [];
  for (const block of source.split(/^(?=@\w)/m)) {
    if (block.trim() === '') continue;
    const [, author = '', body = ''] = /^@(\w+) (.+)$/s.exec(block.trim()) ?? [];
    const comment: DemoComment = {
      author: requirePerson(author),
      text: body.replace(/^\+ .*$/gm, '').trim(),
      thanks: [],
      images: [],
    };
    const fields = body.matchAll(/^\+ ([\w-]+): (.+)$/gm);
    for (const [, name = '', value = ''] of fields) {
      if (name === 'replies-to') comment.reply = requireReply(comments, value);
      else if (name === 'thanks') comment.thanks = value.split(' ').map(requirePerson);
      else if (name === 'image') comment.images.push(parseImage(value));
      else if (name === 'before') comment.edit = { before: value, afterMinutes: 0 };
      else if (name === 'edited-after-minutes' && comment.edit) {
        comment.edit.afterMinutes = Number(value);
      } else if (name === 'deleted-after-minutes') comment.deletedAfterMinutes = Number(value);
      else throw new Error(`unknown field "${name}"`);
    }
    comments.push(comment);
  }
  return comments;
}

function requireReply(earlier: DemoComment[], value: string): number {
  const [, author = '', words = ''] = /^(\w+)(?: «(.+)»)?$/.exec(value) ?? [];
  const index = earlier.findLastIndex(
    ({ author: other, text }) => other === author && text.includes(words),
  );
  if (index < 0) throw new Error(`no comment to reply to: ${value}`);
  return index + 1;
}

function parseImage(value: string): { name: string; alt: string } {
  const [name = '', alt = ''] = value.split(/ (.*)/);
  return { name, alt };
}
