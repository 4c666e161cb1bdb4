import { limits } from '../../shared/limits.ts';
import { chooseHeaders } from './choose-headers.ts';
import { findGroupNames, findHeaders } from './find-headers.ts';
import { type DateOrder, parseHeader } from './headers.ts';
import { type Body, type LeftOut, readBody } from './read-body.ts';
import type { Export } from './read-export.ts';
import { longestText } from './read-lines.ts';
import { splitText } from './split-text.ts';
import { UnreadableExport } from './unreadable-export.ts';

/** A comment that an export becomes. A long message becomes several, of which the first has the attachment. */
export interface Message extends Body {
  /** Time on the clock of the phone that made the export: `2024-03-15T09:05:12`. Never earlier than the one before. */
  at: string;
  /** As in the export; it may be a telephone number. */
  person: string;
  /** Number of this part of a long message, from 1. */
  part: number;
  /** Whether the end of the message was left out. */
  isCut: boolean;
}

/** A part of the export that becomes no comment. */
export interface Omission {
  leftOut: LeftOut;
}

export interface Chat {
  /** The order of day and month; `ask` when the file allows both, and is read as `day-month`. */
  dates: DateOrder | 'ask';
  /** How many lines look like headers and are part of a message, and the numbers of the first ones. */
  quoted: { count: number; lines: number[] };
  /** Reads the export again, from the beginning. */
  read(): AsyncGenerator<Message | Omission>;
}

/** A message whose lines are being read. */
interface Open {
  at: string;
  person: string;
  lines: string[];
  /** Code units so far, also of lines that were left out. */
  length: number;
}

/** The present on the clock that is furthest ahead of UTC. */
const furthestZoneMs = 14 * 3_600_000;

/**
 * Reads a whole export once, and decides by all of it which lines begin messages.
 * @param nowMs the present
 * @param asked the order of day and month, if somebody chose one
 * @throws UnreadableExport without messages, or with too many
 */
export async function openChat(source: Export, nowMs: number, asked?: DateOrder): Promise<Chat> {
  const { form, found } = await findHeaders(source, nowMs + furthestZoneMs);
  const { dates, times } = chooseHeaders(found, asked);
  if (times.every((time) => time === undefined)) {
    throw new UnreadableExport(
      'Aquí no hay ningún mensaje de un chat de WhatsApp. Exporta el chat desde la aplicación, con el teléfono en español o en inglés.',
    );
  }
  const groups = findGroupNames(found);
  const quoted = found.flatMap(({ line }, index) => (times[index] === undefined ? [line] : []));
  return {
    dates,
    quoted: { count: quoted.length, lines: quoted.slice(0, 20) },
    read: async function* () {
      let index = -1;
      let open: Open | undefined;
      for await (const line of source.lines()) {
        const header = parseHeader(line);
        const isFound = header?.form === form;
        if (isFound) index++;
        const time = isFound ? times[index] : undefined;
        if (header && time !== undefined) {
          if (open) yield* finish(open, source, groups);
          const { person, body } = header;
          const at = new Date(time).toISOString().slice(0, 19);
          open = { at, person, lines: [body], length: body.length };
        } else if (open) {
          open.length += line.length + 1;
          if (open.length <= longestText) open.lines.push(line);
        }
      }
      if (open) yield* finish(open, source, groups);
    },
  };
}

function* finish(open: Open, source: Export, groups: Set<string>): Generator<Message | Omission> {
  const { at, person, lines } = open;
  const body =
    person === '' || groups.has(person)
      ? 'notice'
      : readBody(lines.join('\n').toWellFormed(), source.attachments);
  if (typeof body === 'string') {
    yield { leftOut: body };
    return;
  }
  const { text, isEdited, ...attachment } = body;
  const isCut = open.length > longestText;
  const [first = '', ...others] = splitText(text, limits.commentChars);
  yield { at, person, part: 1, isCut, text: first, isEdited, ...attachment };
  for (const [index, part] of others.entries()) {
    yield { at, person, part: index + 2, isCut: false, text: part, isEdited };
  }
}
