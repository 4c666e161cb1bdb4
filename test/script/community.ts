import { type SeededRandom, seededRandom } from '../../src/server/pages/seeded-random.ts';
import type { User } from '../../src/shared/accounts.ts';
import type { Channel } from '../../src/shared/channels.ts';
import type { Transcript } from './transcript.ts';

interface Member {
  user: User;
  /** Spellings of the address. */
  spellings: readonly [string, ...string[]];
  password: string;
  /** Every token ever given, dead ones too. */
  tokens: string[];
}

/**
 * What the visitor of a script knows of the forum, all of it from the answers: it knows the same of
 * two forums for as long as they answer the same.
 */
export class Community {
  readonly transcript: Transcript;
  readonly random: SeededRandom;
  readonly members: Member[] = [];
  readonly channels: { id: string; comments: number }[] = [];
  /** Addresses of uploaded images. */
  readonly images: string[] = [];
  /** The forum's own, milliseconds since 1970. */
  readonly clock: { nowMs: number };

  constructor(transcript: Transcript, seed: string, clock: { nowMs: number }) {
    this.transcript = transcript;
    this.random = seededRandom(seed);
    this.clock = clock;
  }

  member(): Member | undefined {
    return this.#any(this.members);
  }

  /** Mostly a live one, at times a dead one or none at all. */
  token(): { token?: string } {
    const member = this.#any(this.members.filter(({ tokens }) => tokens.length > 0));
    const kind = this.random.next();
    const token = kind < 0.85 ? member?.tokens.at(-1) : kind < 0.95 ? member?.tokens[0] : undefined;
    return token === undefined ? {} : { token };
  }

  /** One of the last few, so that some grow long. */
  channel(): { id: string; comments: number } | undefined {
    return this.random.chance(0.6) ? this.channels[0] : this.#any(this.channels);
  }

  between(min: number, max: number): number {
    return min + Math.floor(this.random.next() * (max - min + 1));
  }

  founded({ _id }: Channel): void {
    this.channels.push({ id: _id, comments: 0 });
  }

  #any<T>(items: T[]): T | undefined {
    return items[Math.floor(this.random.next() * items.length)];
  }
}
