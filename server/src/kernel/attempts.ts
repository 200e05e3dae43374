/** Owns reads that throw for unusable input, where only that they failed matters. Pure, and free of Node. */

/** The value, or null when reading it throws. */
export const orNull = <Value>(read: () => Value): Value | null => {
  try {
    return read();
  } catch {
    return null;
  }
};

/** Undefined, which no JSON text means, for any other text. The error, which is dropped, would quote the text. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
