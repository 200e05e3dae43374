/** Random texts for properties: all code units, so also control characters, astral characters and lone surrogates. */
import fc from 'fast-check';

/** @param maxLength in UTF-16 code units */
export const anyText = (maxLength = 10): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0, max: 0xffff })), { maxLength })
    .map((units) => String.fromCharCode(...units));
