/** Parameters of queries and forms: an unreadable one has no value, and never causes an internal error. */
import { expect, it } from 'vitest';
import { onlyValue, parseParameters } from '../../src/http-kit/request-content.ts';

// Contract: requests#repeated-parameters — A repeated, empty or unreadable parameter has no value
it.each([
  ['is decoded', 'a=x+y%2Bz', 'x y+z'],
  ['has no value when it is missing', 'b=1', null],
  ['has no value when it is empty', 'a=', null],
  ['has no value when it is repeated', 'a=1&a=1', null],
  ['has no value when it is not UTF-8', 'a=%zz', null],
  ['keeps everything after the first equals sign', 'a=b=c', 'b=c'],
])('A parameter %s', (_title, text, value) => {
  expect(onlyValue(parseParameters(text), 'a')).toBe(value);
});
