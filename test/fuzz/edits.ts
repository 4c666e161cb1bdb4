import fc from 'fast-check';

/** One change to a run of bytes; `position` is a share of its length, in 65,536ths. */
interface Edit {
  kind: 'flip' | 'set' | 'insert' | 'remove' | 'repeat' | 'cut';
  position: number;
  value: number;
  length: number;
}

export const edits = (maxLength: number): fc.Arbitrary<Edit[]> =>
  fc.array(
    fc.record({
      kind: fc.constantFrom('flip', 'flip', 'set', 'set', 'insert', 'remove', 'repeat', 'cut'),
      // Half of the edits are at the beginning, where the headers are.
      position: fc.oneof(fc.nat(0xffff), fc.nat(0x7ff)),
      value: fc.oneof(fc.constantFrom(0, 10, 13, 0x25, 0x7f, 0x80, 0xff), fc.nat(255)),
      length: fc.integer({ min: 1, max: 64 }),
    }),
    { maxLength },
  );

/** Applies the edits in order. */
export function edited(bytes: Buffer, changes: Edit[]): Buffer {
  let result = Buffer.from(bytes);
  for (const { kind, position, value, length } of changes) {
    const at = Math.floor((position * result.length) / 0x10000);
    const [before, after] = [result.subarray(0, at), result.subarray(at)];
    if (kind === 'cut') result = before;
    else if (kind === 'remove') result = Buffer.concat([before, after.subarray(length)]);
    else if (kind === 'insert')
      result = Buffer.concat([before, Buffer.alloc(length, value), after]);
    else if (kind === 'repeat') {
      result = Buffer.concat([before, after.subarray(0, length), after]);
    } else if (result.length > 0) {
      const old = result.readUInt8(at);
      result.writeUInt8(kind === 'set' ? value : old ^ (1 << (value % 8)), at);
    }
  }
  return result;
}
