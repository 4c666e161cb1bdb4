import type { Mention } from '../../../shared/comments.ts';
import { findLinks, maxLinks } from '../../../shared/find-links.ts';

export type TextPart =
  | { kind: 'text' | 'link'; text: string }
  /** `text` is an `@` and the person's current name. */
  | { kind: 'mention'; text: string; accountId: string };

/** A paragraph or a quotation; its parts contain its line breaks. */
export interface TextBlock {
  isQuote: boolean;
  parts: TextPart[];
}

const quoteMark = '> ';
const mostBlankLines = 2;

/**
 * Splits a plain text into blocks in linear time. Consecutive lines that begin with `> ` form one quotation, without
 * these marks; quotations do not nest. Blank lines around a quotation are dropped; elsewhere, at most two in a row
 * are kept.
 * @param mentions ranges of the whole text. A range that overlaps an earlier one, spans several lines or lies beyond
 * the text stays plain text
 */
export function parseText(text: string, mentions: readonly Mention[] = []): TextBlock[] {
  const blocks: TextBlock[] = [];
  const parts = new PartsBuilder(text, mentions);
  let isQuote = false;
  let start = 0;

  const endBlock = () => {
    const block = { isQuote, parts: parts.take() };
    if (block.parts.length > 0) blocks.push(block);
  };

  while (start <= text.length) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const isQuoteLine = text.startsWith(quoteMark, start);
    if (isQuoteLine !== isQuote) endBlock();
    isQuote = isQuoteLine;
    parts.addLine(isQuoteLine ? start + quoteMark.length : start, end);
    start = end + 1;
  }
  endBlock();
  return blocks;
}

class PartsBuilder {
  readonly #text: string;
  /** Mentions still ahead, in reverse order. */
  readonly #mentions: Mention[];
  #links = maxLinks;
  #parts: TextPart[] = [];
  /** Text since the last mention. */
  #plain = '';
  /** Blank lines, which are dropped when the block ends after them. */
  #blank: string[] = [];

  constructor(text: string, mentions: readonly Mention[]) {
    this.#text = text;
    this.#mentions = mentions.toSorted((a, b) => b.start - a.start);
  }

  addLine(start: number, end: number): void {
    const isFirst = this.#parts.length === 0 && this.#plain === '';
    const line = this.#text.slice(start, end);
    if (line.trim() === '') {
      if (!isFirst && this.#blank.length < mostBlankLines) this.#blank.push(`\n${line}`);
      return;
    }
    if (!isFirst) this.#plain += `${this.#blank.join('')}\n`;
    this.#blank = [];

    let position = start;
    for (let next = this.#mentions.at(-1); next && next.start < end; next = this.#mentions.at(-1)) {
      this.#mentions.pop();
      const mentionEnd = next.start + next.length;
      if (next.start < position || mentionEnd > end || next.length < 1) continue;
      this.#plain += this.#text.slice(position, next.start);
      this.#flushPlain();
      this.#parts.push({ kind: 'mention', text: `@${next.name}`, accountId: next.accountId });
      position = mentionEnd;
    }
    this.#plain += this.#text.slice(position, end);
  }

  /** Ends the block. @returns its parts */
  take(): TextPart[] {
    this.#flushPlain();
    const parts = this.#parts;
    this.#parts = [];
    this.#blank = [];
    return parts;
  }

  #flushPlain(): void {
    for (const { text, isLink } of findLinks(this.#plain, this.#links)) {
      this.#parts.push({ kind: isLink ? 'link' : 'text', text });
      if (isLink) this.#links -= 1;
    }
    this.#plain = '';
  }
}
