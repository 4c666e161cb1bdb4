import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  type webcrypto,
} from 'node:crypto';
import type { PasskeyCreation, PasskeyRequest } from '../../src/shared/passkeys.ts';

const flag = { present: 1, verified: 4, hasCredential: 64 };

/** Encodes the CBOR types that authenticators send: numbers below 2^16, bytes, texts and maps. */
function cbor(value: number | string | Uint8Array | Map<number | string, unknown>): Buffer {
  const head = (major: number, size: number) => {
    if (size < 24) return Buffer.from([(major << 5) | size]);
    if (size < 256) return Buffer.from([(major << 5) | 24, size]);
    return Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
  };
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  const parts = [...value].flat().map((part) => cbor(part as number));
  return Buffer.concat([head(5, value.size), ...parts]);
}

interface Habits {
  origin?: string;
  /** Whether it verifies the user. */
  verifies?: boolean;
  /** Increase of the counter at each use. Authenticators that share keys do not count. */
  step?: number;
  /** Format of the attestation; `none` by default. */
  format?: string;
  statement?: Map<string, unknown>;
}

/** An existing credential: its id and user as base64url, and the private key. */
interface SavedCredential {
  id: string;
  user: string;
  key: webcrypto.JsonWebKey;
}

/** An authenticator with one credential, which responds as a browser does to a page. */
export class PasskeyDevice {
  readonly id: Buffer;
  counter = 0;
  readonly #habits: Required<Habits>;
  readonly #key: KeyObject;
  readonly #publicKey: Map<number, unknown>;
  #user: string;

  /** @param saved existing credential; by default a new one is created */
  constructor(origin: string, habits: Habits = {}, saved?: SavedCredential) {
    this.#habits = {
      origin,
      verifies: true,
      step: 0,
      format: 'none',
      statement: new Map(),
      ...habits,
    };
    this.id = saved ? Buffer.from(saved.id, 'base64url') : randomBytes(32);
    this.#user = saved?.user ?? '';
    this.#key = saved
      ? createPrivateKey({ key: saved.key, format: 'jwk' })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const { x = '', y = '' } = this.#key.export({ format: 'jwk' });
    const entries: [number, unknown][] = [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ];
    this.#publicKey = new Map(entries);
  }

  /** Responds as `toJSON` of `navigator.credentials.create`. */
  create(options: PasskeyCreation) {
    this.#user = options.user.id;
    const { format, statement } = this.#habits;
    const size = Buffer.from([0, this.id.length]);
    const credential = Buffer.concat([Buffer.alloc(16), size, this.id, cbor(this.#publicKey)]);
    const attestation = new Map<string, unknown>([
      ['fmt', format],
      ['attStmt', statement],
      ['authData', Buffer.concat([this.#data(options.rp.id, flag.hasCredential), credential])],
    ]);
    return {
      ...this.#identity(),
      response: {
        clientDataJSON: this.#clientData('webauthn.create', options.challenge),
        attestationObject: cbor(attestation).toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** Responds as `toJSON` of `navigator.credentials.get`. */
  use(options: PasskeyRequest) {
    this.counter += this.#habits.step;
    const data = this.#data(options.rpId, 0);
    const clientDataJSON = this.#clientData('webauthn.get', options.challenge);
    const clientHash = sha256(Buffer.from(clientDataJSON, 'base64url'));
    const signature = sign('sha256', Buffer.concat([data, clientHash]), this.#key);
    return {
      ...this.#identity(),
      response: {
        clientDataJSON,
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: this.#user,
      },
    };
  }

  #identity() {
    const id = this.id.toString('base64url');
    return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} };
  }

  #clientData(type: string, challenge: string): string {
    const { origin } = this.#habits;
    return Buffer.from(JSON.stringify({ type, challenge, origin })).toString('base64url');
  }

  #data(party: string, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const verified = this.#habits.verifies ? flag.verified : 0;
    return Buffer.concat([
      sha256(Buffer.from(party)),
      Buffer.from([flags | flag.present | verified]),
      counter,
    ]);
  }
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
