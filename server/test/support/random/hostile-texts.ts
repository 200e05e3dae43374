/** Texts of every kind that no field of a mutation should accept unchanged. */

export const hostileTexts = {
  empty: '',
  spaces: ' \t ',
  NUL: 'hunter2\u0000secret',
  'control characters': 'hunter2\u0007\u001b[31msecret',
  'line breaks': 'hunter2\r\nBcc: secret@example.com',
  'right-to-left marks': 'hunter2\u202e\u2066secret',
  'a high surrogate alone': 'hunter2\ud83dsecret',
  'a low surrogate alone': 'hunter2\ude00secret',
  'emoji over 72 bytes': '😀'.repeat(110),
  'a very long text': 'hunter2 '.repeat(12_000),
};
