import fc, { type GeneratorValue } from 'fast-check';
import type { User } from '../../src/shared/accounts.ts';
import type { Channel } from '../../src/shared/channels.ts';
import type { Transcript } from './transcript.ts';

interface Member {
  user: User;
  /** Spellings of the e-mail address. */
  spellings: readonly [string, ...string[]];
  password: string;
  /** All tokens of this member, including signed-out and expired ones. */
  tokens: string[];
  /** Cookie of the member's remembered browser; empty before it has one. */
  cookie: string;
}

/**
 * The state of a script: the forum's responses so far, and the script's random choices. Two forums that respond alike
 * lead to the same state, and so to the same next request.
 */
export class Community {
  readonly transcript: Transcript;
  readonly members: Member[] = [];
  readonly channels: { id: string; comments: number }[] = [];
  /** Addresses of uploaded images. */
  readonly images: string[] = [];
  /** The clock of the forum, in milliseconds since 1970. */
  readonly clock: { nowMs: number };
  readonly #generate: GeneratorValue;

  constructor(transcript: Transcript, generate: GeneratorValue, clock: { nowMs: number }) {
    this.transcript = transcript;
    this.#generate = generate;
    this.clock = clock;
  }

  member(): Member | undefined {
    return this.#any(this.members);
  }

  /** Chooses a token for a call: 85 % the newest of a member, 10 % the oldest one, 5 % none. */
  token(): { token?: string } {
    const member = this.#any(this.members.filter(({ tokens }) => tokens.length > 0));
    const percent = this.between(1, 100);
    const token =
      percent <= 85 ? member?.tokens.at(-1) : percent <= 95 ? member?.tokens[0] : undefined;
    return token === undefined ? {} : { token };
  }

  /** Chooses the first channel in 60 % of the calls, so that it collects many comments; otherwise any channel. */
  channel(): { id: string; comments: number } | undefined {
    return this.chance(0.6) ? this.channels[0] : this.#any(this.channels);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.between(0, items.length - 1)] as T;
  }

  chance(probability: number): boolean {
    return this.between(1, 100) <= probability * 100;
  }

  /** Chooses an integer; both bounds are included. */
  between(min: number, max: number): number {
    return this.#generate(fc.integer, { min, max });
  }

  shuffle<T>(items: T[]): T[] {
    return this.#generate(fc.shuffledSubarray<T>, items, { minLength: items.length });
  }

  addChannel({ _id }: Channel): void {
    this.channels.push({ id: _id, comments: 0 });
  }

  #any<T>(items: T[]): T | undefined {
    return items.length === 0 ? undefined : this.pick(items);
  }
}
